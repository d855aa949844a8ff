import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@Suite struct SignalTests {
    @Test(
        "R8, R9: all observers see the same order under re-entrant sends, in order of subscription",
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
        #expect(seen.value == Array(repeating: [1, 2, 3], count: observers))
        #expect(turns.value == Array(repeating: Array(0..<observers), count: 3).flatMap(\.self))
    }

    @Test("R8: all observers see the same order when threads race")
    func oneOrderUnderRace() async throws {
        let (signal, emitter) = Signal<Int>.pipe()
        let first = Box<[Int]>([])
        let second = Box<[Int]>([])
        let done = Promise<Void>()
        signal.subscribeNext { value in first.change { $0.append(value) } }
        signal.subscribeNext { value in
            second.change { $0.append(value) }
            if second.value.count == 4000 { done.fulfil(()) }
        }
        for thread in 0..<4 {
            Thread.detachNewThread { for value in 0..<1000 { emitter.send(thread * 1000 + value) } }
        }
        try await done.value()
        #expect(first.value == second.value)
        for thread in 0..<4 {
            let own = first.value.filter { $0 / 1000 == thread }
            #expect(own == own.sorted())
        }
    }

    @Test("R10: an observer that comes or goes during a dispatch does not see that event")
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
        #expect(log.entries == ["first 1", "second 1", "first 2", "second 2", "late 2"])
    }

    @Test("R2: each observer gets the end once, a late one at once", arguments: [nil, Failure()])
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
        #expect(log.entries == [end, end, end])
    }

    @Test("R11: from inside an observer another thread sends, subscribes and cancels, and is joined")
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
        #expect(seen.value == [1, 2])
    }

    @Test("R16: a hundred thousand re-entrant sends do not grow the stack")
    func reentrantSendsDoNotGrowTheStack() {
        let (signal, emitter) = Signal<Int>.pipe()
        let last = Box(0)
        signal.subscribeNext { value in
            last.value = value
            if value < 100_000 { emitter.send(value + 1) }
        }
        emitter.send(1)
        #expect(last.value == 100_000)
    }

    @Test("R21: dropping the token changes nothing; the source keeps the subscription alive")
    func tokenMayBeDropped() {
        let (signal, emitter) = Signal<Int>.pipe()
        let seen = Box<[Int]>([])
        signal.map { $0 * 2 }.subscribeNext { value in seen.change { $0.append(value) } }
        emitter.send(1)
        emitter.send(2)
        #expect(seen.value == [2, 4])
    }

    @Test("R22: a cancelled observer is released while the signal lives on")
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

    @Test("R3: after a cancel inside an observer it sees nothing more")
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
        #expect(seen.value == [1])
    }
}
