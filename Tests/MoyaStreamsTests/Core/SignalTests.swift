import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SignalTests {
    @Test func reportsWhetherItHasObservers() {
        let (signal, emitter) = Signal<Int>.pipe()
        #expect(!signal.hasObservers)
        let (one, two) = (signal.subscribeNext { _ in }, signal.subscribeNext { _ in })
        one.cancel()
        #expect(signal.hasObservers)
        two.cancel()
        #expect(!signal.hasObservers)
        signal.subscribeNext { _ in }
        emitter.complete()
        #expect(!signal.hasObservers)
    }

    @Test(
        "R8, R9: all observers receive the same order with re-entrant sends, in order of subscription",
        arguments: [1, 2, 31, 32, 1000])
    func oneOrderForAll(_ observers: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let seen = Box(Array(repeating: [Int](), count: observers))
        let turns = Box<[Int]>([])
        for index in 0..<observers {
            signal.subscribeNext { value in
                seen.change { $0[index].append(value) }
                turns.change { $0.append(index) }
                if value < 3, index == 0 { emitter.send(value + 1) }
            }
        }
        emitter.send(1)
        expectEqual(seen.value, Array(repeating: [1, 2, 3], count: observers))
        expectEqual(turns.value, Array(repeating: Array(0..<observers), count: 3).flatMap(\.self))
    }

    @Test("R8: all observers receive the same order if threads race")
    func oneOrderUnderRace() async throws {
        let (signal, emitter) = Signal<Int>.pipe()
        let first = Box<[Int]>([])
        let second = Box<[Int]>([])
        let done = Promise<Void>()
        signal.subscribeNext { value in first.change { $0.append(value) } }
        signal.subscribeNext { value in
            second.change { $0.append(value) }
            if second.value.count == 4000 { done.fulfill(()) }
        }
        for thread in 0..<4 {
            Thread.detachNewThread { for value in 0..<1000 { emitter.send(thread * 1000 + value) } }
        }
        try await done.value()
        expectEqual(first.value, second.value)
        for thread in 0..<4 {
            let own = first.value.filter { $0 / 1000 == thread }
            expectEqual(own, own.sorted())
        }
    }

    @Test("R10: an observer that subscribes or cancels during a delivery does not receive that event")
    func comingAndGoingDuringADispatch() {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        let third = Box<Subscription?>(nil)
        signal.subscribeNext { value in
            log.add("first \(value)")
            guard value == 1 else { return }
            third.value?.cancel()
            signal.subscribeNext { log.add("late \($0)") }
        }
        signal.subscribeNext { log.add("second \($0)") }
        third.value = signal.subscribeNext { log.add("third \($0)") }
        emitter.send(1)
        emitter.send(2)
        expectEqual(log.entries, ["first 1", "second 1", "first 2", "second 2", "late 2"])
    }

    @Test("R2: each observer receives the terminal event once, a later one immediately", arguments: [nil, Failure()])
    func endReachesAll(_ failure: Failure?) {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        let note: @Sendable (Event<Int>) -> Void = { event in
            switch event {
            case .next(let value): log.add("\(value)")
            case .error(let error): log.add("\(error)")
            case .completed: log.add("completed")
            }
        }
        signal.subscribe(note)
        signal.subscribe(note)
        if let failure { emitter.fail(failure) } else { emitter.complete() }
        #expect(emitter.send(1) == false)
        emitter.complete()
        signal.subscribe(note)
        let end = failure.map { "\($0)" } ?? "completed"
        expectEqual(log.entries, [end, end, end])
    }

    @Test("R11: during an event, another thread can send, subscribe and cancel")
    func noLockIsHeldDuringDelivery() {
        let (signal, emitter) = Signal<Int>.pipe()
        let other = signal.subscribeNext { _ in }
        let joined = Box(false)
        let seen = Box<[Int]>([])
        signal.subscribeNext { value in
            seen.change { $0.append(value) }
            guard value == 1 else { return }
            joined.value = finishesOnAnotherThread {
                emitter.send(2)
                signal.subscribeNext { _ in }
                other.cancel()
            }
        }
        emitter.send(1)
        #expect(joined.value)
        expectEqual(seen.value, [1, 2])
    }

    @Test("R16: 50,000 re-entrant sends do not grow the stack")
    func reentrantSendsDoNotGrowTheStack() {
        let (signal, emitter) = Signal<Int>.pipe()
        let last = Box(0)
        signal.subscribeNext { value in
            last.value = value
            if value < manyTimes { emitter.send(value + 1) }
        }
        emitter.send(1)
        expectEqual(last.value, manyTimes)
    }

    @Test("R21: dropping the subscription does not cancel; the source retains it")
    func tokenMayBeDropped() {
        let (signal, emitter) = Signal<Int>.pipe()
        let seen = Box<[Int]>([])
        signal.map { $0 * 2 }.subscribeNext { value in seen.change { $0.append(value) } }
        emitter.send(1)
        emitter.send(2)
        expectEqual(seen.value, [2, 4])
    }

    @Test("R22: a cancelled observer is released while the signal is retained")
    func releasesObservers() {
        let (signal, emitter) = Signal<Int>.pipe()
        weak var held: Log?
        let subscription: Subscription
        do {
            let log = Log()
            held = log
            subscription = signal.subscribeNext { log.add("\($0)") }
        }
        emitter.send(1)
        #expect(held != nil)
        subscription.cancel()
        #expect(held == nil)
    }

    @Test("R3: after a cancel during an event the observer receives no event")
    func cancelInsideAnObserver() {
        let (signal, emitter) = Signal<Int>.pipe()
        let seen = Box<[Int]>([])
        let token = Box<Subscription?>(nil)
        token.value = signal.subscribeNext { value in
            seen.change { $0.append(value) }
            emitter.send(value + 1)
            token.value?.cancel()
        }
        emitter.send(1)
        expectEqual(seen.value, [1])
    }

    @Test(
        "replayed values are delivered before other events, also after the end",
        arguments: [
            (ReplayPolicy.none, [4, 5]), (.latest(2), [2, 3, 4, 5]), (.latest(9), [1, 2, 3, 4, 5]),
            (.all, [1, 2, 3, 4, 5]),
            (.latest(-1), [4, 5]),
        ])
    func replay(_ replay: ReplayPolicy, _ expected: [Int]) {
        let (signal, emitter) = Signal<Int>.pipe(replay: replay)
        for value in 1...3 { emitter.send(value) }
        let seen = Box([Int]())
        signal.subscribeNext { value in seen.change { $0.append(value) } }
        emitter.send(4)
        emitter.send(5)
        expectEqual(seen.value, expected)
        emitter.complete()
        emitter.send(6)
        expectEqual(signal.value, count(replay) > 0 || replay == .all ? 5 : nil)
        let late = Log()
        signal.subscribe(onNext: { late.add("\($0)") }, onCompleted: { late.add("completed") })
        let replayed = [1, 2, 3, 4, 5].suffix(min(replay == .none ? 0 : replay == .all ? 5 : count(replay), 5))
        expectEqual(late.entries, replayed.map { "\($0)" } + ["completed"])
    }

    private func count(_ replay: ReplayPolicy) -> Int {
        if case .latest(let count) = replay { max(count, 0) } else { 0 }
    }

    @Test func aSignalWithAValueShowsItAndModifiesItInOneStep() {
        let (signal, emitter) = Signal.pipe(value: 1)
        expectEqual(signal.value, 1)
        let log = Log()
        signal.subscribeNext { value in
            log.add("\(value), \(signal.value ?? 0)")
            if value == 2 { emitter.update { $0 *= 10 } }
        }
        emitter.update { $0 += 1 }
        expectEqual(log.entries, ["1, 1", "2, 2", "20, 20"])
        expectEqual(signal.value, 20)
    }

    @Test("no update is lost if threads race")
    func modificationsDoNotRace() {
        let (signal, emitter) = Signal.pipe(value: 0)
        let seen = Box([Int]())
        signal.subscribeNext { value in seen.change { $0.append(value) } }
        inParallel([0, 1, 2, 3]) { _ in
            for _ in 0..<500 { emitter.update { $0 += 1 } }
        }
        expectEqual(signal.value, 2000)
        expectEqual(seen.value, Array(0...2000))
    }

    @Test("R9: the order of subscription is stable under removals", arguments: [2, 31, 32, 33, 1000])
    func removals(_ observers: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let turns = Box([Int]())
        let tokens = (0..<observers).map { index in
            signal.subscribeNext { _ in turns.change { $0.append(index) } }
        }
        emitter.send(1)
        for index in stride(from: 0, to: observers, by: 2) { tokens[index].cancel() }
        signal.subscribeNext { _ in turns.change { $0.append(observers) } }
        turns.value = []
        emitter.send(2)
        expectEqual(turns.value, Array(stride(from: 1, to: observers, by: 2)) + [observers])
    }

    @Test("R8, R9: all observers receive one order while threads send, subscribe and cancel", arguments: [31, 32])
    func comingAndGoingUnderRace(_ observers: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let first = Box([Int]())
        let last = Box([Int]())
        signal.subscribeNext { value in first.change { $0.append(value) } }
        let tokens = (0..<observers).map { _ in signal.subscribeNext { _ in } }
        signal.subscribeNext { value in last.change { $0.append(value) } }
        inParallel([0, 1, 2]) { thread in
            guard thread == 2 else {
                for value in 0..<500 { emitter.send(thread * 1000 + value) }
                return
            }
            for token in tokens {
                signal.subscribeNext { _ in }
                token.cancel()
            }
        }
        expectEqual(first.value.count, 1000)
        expectEqual(first.value, last.value)
    }

    @Test("the teardowns of a signal run once, when it ends or when its emitter is released", arguments: [true, false])
    func termination(_ ends: Bool) {
        let log = Log()
        let signal: Signal<Int>
        do {
            let (made, emitter) = Signal<Int>.pipe()
            signal = made
            emitter.onTermination { log.add("ended") }
            if ends { emitter.complete() }
            expectEqual(log.entries.count, ends ? 1 : 0)
        }
        expectEqual(log.entries, ["ended"])
        withExtendedLifetime(signal) {}
    }
}
