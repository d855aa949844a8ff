import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct EmitterTests {
    @Test("R1: no event is delivered after the terminal event")
    func nothingFollowsTheEnd() {
        let log = Log()
        Observable<Int> { emitter in
            emitter.send(1)
            emitter.complete()
            emitter.send(2)
            emitter.fail(Failure())
            emitter.complete()
        }.subscribe { log.add("\($0)") }
        expectEqual(log.entries, ["next(1)", "completed"])
    }

    @Test("R7: events from many threads do not overlap, and none is lost")
    func eventsDoNotOverlap() async throws {
        let threads = 4
        let each = 5_000
        let inside = Box(0)
        let overlaps = Box(0)
        let received = Box(0)
        let done = Promise<Void>()
        Observable<Int> { emitter in
            for _ in 0..<threads {
                Thread.detachNewThread { for value in 0..<each { emitter.send(value) } }
            }
        }.subscribeNext { _ in
            inside.change { $0 += 1 }
            if inside.value != 1 { overlaps.change { $0 += 1 } }
            received.change { $0 += 1 }
            inside.change { $0 -= 1 }
            if received.value == threads * each { done.fulfill(()) }
        }
        try await done.value()
        expectEqual(overlaps.value, 0)
    }

    @Test("R15: a producer is notified when the subscription has ended")
    func sendSaysWhetherAnybodyListens() {
        let answers = Box<[Bool]>([])
        Observable<Int> { emitter in
            while true {
                let isHeard = emitter.send(1)
                answers.change { $0.append(isHeard) }
                guard isHeard, !emitter.isTerminated else { break }
            }
        }.take(3).subscribeNext { _ in }
        expectEqual(answers.value, [true, true, false])
    }

    @Test(
        "R4: the resources of the producer are released once, after completion was delivered", arguments: [true, false])
    func releasesOnce(_ completes: Bool) {
        let log = Log()
        let subscription = Observable<Int> { emitter in
            emitter.onTermination { log.add("released") }
            if completes { emitter.complete() }
        }.subscribeCompleted { log.add("completed") }
        subscription.cancel()
        #expect(log.entries == (completes ? ["completed", "released"] : ["released"]))
    }

    @Test("R17: fails with an error that the producer throws")
    func throwingProducerFails() {
        let failure = Box<Failure?>(nil)
        Observable<Int> { _ in throw Failure(id: 7) }.subscribeError { failure.value = $0 as? Failure }
        expectEqual(failure.value, Failure(id: 7))
    }

    @Test("R22: a retained emitter does not retain the subscriber after the end")
    func releasesTheSubscriber() {
        let kept = Box<Emitter<Int>?>(nil)
        weak var held: Log?
        let subscription: Subscription
        do {
            let log = Log()
            held = log
            subscription = Observable<Int> { kept.value = $0 }.subscribeNext { log.add("\($0)") }
        }
        kept.value?.send(1)
        expectEqual(held?.entries, ["1"])
        subscription.cancel()
        #expect(held == nil)
        #expect(kept.value?.send(2) == false)
    }

    @Test("R11: during an event, another thread can use the same stream")
    func noLockIsHeldDuringDelivery() {
        let joined = Box(false)
        let seen = Box<[Int]>([])
        let kept = Box<Emitter<Int>?>(nil)
        Observable<Int> { kept.value = $0 }.subscribeNext { value in
            seen.change { $0.append(value) }
            guard value == 10 else { return }
            joined.value = finishesOnAnotherThread { kept.value?.send(11) }
        }
        kept.value?.send(10)
        #expect(joined.value)
        expectEqual(seen.value, [10, 11])
    }
}
