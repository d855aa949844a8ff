import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RetryTests {
    let time = VirtualTime()

    @Test func retriesTheGivenNumberOfTimes() {
        let source = time.cold("-a#")
        expectEqual(time.play(source.retry(times: 2)), "-a-a-a#")
        expectEqual(source.subscriptions.count, 3)
    }

    @Test func failsWithTheLastError() {
        let attempts = Box(0)
        let failing = Observable<Int>.deferred {
            attempts.change { $0 += 1 }
            return .error(Failure(id: attempts.value))
        }
        expectEqual(time.play(failing.retry(times: 2)).error as? Failure, Failure(id: 3))
        expectEqual(time.play(failing.retry(times: 0)).error as? Failure, Failure(id: 4))
    }

    @Test func completionEndsIt() {
        expectEqual(time.play(time.cold("a|").retry(times: 5)), "a|")
    }

    @Test("the delays are those of the policy")
    func delays() {
        let source = time.cold("#")
        let retried = source.retry(.exponential(initial: .milliseconds(2), times: 3, jitter: .none), on: time)
        expectEqual(time.play(retried), "--------------#")
        expectEqual(source.subscriptions.map(\.start), [0, 2, 6, 14].map { .milliseconds($0) })
    }

    @Test func theErrorDecides() {
        let policy = RetryPolicy.constant(.milliseconds(1), times: 9) { error, _ in error as? Failure == Failure(id: 1)
        }
        let first = time.cold("#", error: Failure(id: 1))
        expectEqual(time.play(first.retry(policy, on: time)), "---------#")
        let other = time.cold("#", error: Failure(id: 2))
        expectEqual(time.play(other.retry(policy, on: time)), "#")
    }

    @Test("R4: there are never two live upstreams")
    func releasesBeforeTheNext() {
        let log = Log()
        let source = Observable<Int> { emitter in
            log.add("start")
            emitter.onTermination { log.add("end") }
            emitter.fail(Failure())
        }
        source.retry(times: 1).subscribeError { _ in log.add("failed") }
        expectEqual(log.entries, ["start", "end", "start", "end", "failed"])
    }

    @Test("R3: a cancel during the delay cancels the timer")
    func cancel() {
        let source = time.cold("#")
        let retried = source.retry(.constant(.seconds(60), times: 1), on: time)
        expectEqual(time.play(retried, during: "^-!"), "")
        #expect(time.leftovers.isEmpty)
        expectEqual(source.subscriptions.count, 1)
    }

    @Test("R16: 50,000 retries do not grow the stack")
    func stack() {
        let attempts = Box(0)
        let failing = Observable<Int> { emitter in
            attempts.change { $0 += 1 }
            if attempts.value <= manyTimes { emitter.fail(Failure()) } else { emitter.complete() }
        }
        let completed = Box(false)
        failing.retry(times: manyTimes).subscribeCompleted { completed.value = true }
        #expect(completed.value)
    }

    @Test func retriesOnNotice() {
        let source = time.cold("-a#")
        let notice = time.cold("--x---")
        let retried = source.retry { _, number in number <= 2 ? notice.observable : .empty() }
        expectEqual(time.play(retried), "-a---a---a#")
        expectEqual(notice.subscriptions.count, 2)
        let tap = time.hot("---x--")
        expectEqual(time.play(source.retry { _, _ in tap }, during: "^----!"), "-a--a")
    }

    @Test func failsWithoutANotice() {
        let failing = time.cold("#", error: Failure(id: 1))
        expectEqual(time.play(failing.retry { _, _ in Observable<Int>.empty() }).error as? Failure, Failure(id: 1))
        let other = failing.retry { _, _ in Observable<Int>.error(Failure(id: 2)) }
        expectEqual(time.play(other).error as? Failure, Failure(id: 2))
        let thrown = failing.retry { (_, _) -> Observable<Int> in throw Failure(id: 3) }
        expectEqual(time.play(thrown).error as? Failure, Failure(id: 3))
    }

    @Test("R16: 50,000 retries after a notice do not grow the stack")
    func noticesDoNotGrowTheStack() {
        let attempts = Box(0)
        let failing = Observable<Int> { emitter in
            attempts.change { $0 += 1 }
            emitter.fail(Failure())
        }
        failing.retry { _, number in number < manyTimes ? Observable.just(1) : .empty() }.subscribeError { _ in }
        expectEqual(attempts.value, manyTimes)
    }

    @Test("R22: a cancel in the closure of the policy releases the timer and the source")
    func cancelInsideThePolicy() {
        let bag = SubscriptionBag()
        weak var held: Log?
        do {
            let log = Log()
            held = log
            let policy = RetryPolicy.constant(.seconds(60), times: 5) { _, number in
                if number == 2 { bag.cancel() }
                return true
            }
            Observable<Int>.error(Failure()).handleEvents(onSubscribe: { log.add("") }).retry(policy, on: time)
                .subscribeNext { _ in }.store(in: bag)
        }
        time.advance(by: .seconds(61))
        #expect(bag.isCancelled)
        #expect(time.leftovers.isEmpty)
        #expect(held == nil)
    }

    @Test("R5, R22: a cancel during the delay cancels the timer, before it is due")
    func cancelsTheTimer() {
        let time = VirtualTime()
        let failing = Observable<Int>.error(Failure())
        let subscription = failing.retry(.constant(.seconds(60), times: 2), on: time).subscribe { _ in }
        time.advance(by: .seconds(1))
        expectEqual(time.leftovers.count, 1)
        subscription.cancel()
        #expect(time.leftovers.isEmpty)
    }
}
