import Foundation
import Moya
import MoyaScheduling
import MoyaStreams
import MoyaTesting
import Synchronization
import TestSupport
import Testing

/// The rules of the stream contract, for all operators.
///
/// A line in `operators` covers a new operator.
@Suite(.queued, .timeLimit(.minutes(10))) struct ConformanceTests {
    let time = VirtualTime()
    let log = Log()
    let kept = Box<Emitter<Int>?>(nil)

    /// A source whose emitter the test retains; it logs each release.
    private var source: Observable<Int> {
        Observable { [kept, log] emitter in
            kept.value = emitter
            emitter.onTermination { log.add("released") }
        }
    }

    private func apply(
        _ index: Int, to source: Observable<Int>, probe: @escaping @Sendable () -> Void = {}
    ) -> Observable<Int> {
        operators[index].apply(source, probe, time)
    }

    /// Subscribes with an observer that retains an object; `held` returns whether the object still exists.
    private func subscribe(_ stream: Observable<Int>) -> (subscription: Subscription, held: @Sendable () -> Bool) {
        let log = Log()
        let subscription = stream.subscribeNext { log.add("\($0)") }
        return (subscription, { [weak log] in log != nil })
    }

    @Test(
        "R22: a cancel releases the observer while the emitter and the subscription are retained",
        arguments: operators.indices)
    func cancelReleases(_ index: Int) {
        let (subscription, held) = subscribe(apply(index, to: source))
        kept.value?.send(1)
        #expect(held(), "\(operators[index].name)")
        subscription.cancel()
        #expect(!held(), "\(operators[index].name)")
        #expect(kept.value?.send(2) == false)
    }

    @Test(
        "R22: a cancel releases the closures of the operator while the emitter and the token are retained",
        arguments: operators.indices)
    func cancelReleasesClosures(_ index: Int) {
        var held = Log?.some(Log())
        weak var weakly: Log?
        weakly = held
        let subscription = apply(index, to: source, probe: { [held] in held?.add("") }).subscribeNext { _ in }
        kept.value?.send(1)
        held = nil
        subscription.cancel()
        time.run()
        #expect(weakly == nil, "\(operators[index].name)")
    }

    @Test(
        "R21, R22: a signal that is dropped without an end releases its observers",
        arguments: operators.indices.filter { operators[$0].traits.isDisjoint(with: [.keepsSource, .keepsObserver]) })
    func droppedSourceReleases(_ index: Int) {
        let held: @Sendable () -> Bool
        do {
            let (signal, emitter) = Signal<Int>.pipe()
            held = subscribe(apply(index, to: signal.observable)).held
            #expect(held())
            #expect(!emitter.isTerminated)
        }
        #expect(!held(), "\(operators[index].name)")
    }

    @Test(
        "R22: `never` retains no observer, with any operator",
        arguments: operators.indices.filter { !operators[$0].traits.contains(.keepsObserver) })
    func neverReleases(_ index: Int) {
        let held = subscribe(apply(index, to: .never())).held
        #expect(!held(), "\(operators[index].name)")
    }

    @Test("R3, R5: no event follows a cancel, and the upstream is released once", arguments: operators.indices)
    func nothingAfterCancel(_ index: Int) {
        let events = Log()
        let subscription = apply(index, to: source).subscribe { event in events.add("\(event)") }
        subscription.cancel()
        subscription.cancel()
        kept.value?.send(1)
        kept.value?.complete()
        time.run()
        #expect(events.entries.isEmpty, "\(operators[index].name)")
        expectEqual(log.entries, ["released"], "\(operators[index].name)")
    }

    @Test("R1, R2: one terminal event, and no event after it", arguments: operators.indices, [nil, Failure()])
    func oneEnd(_ index: Int, _ failure: Failure?) {
        let events = Log()
        let subscription = apply(index, to: source).subscribe { event in
            if case .next = event { events.add("next") } else { events.add("end") }
        }
        // An operator that resubscribes receives the same events again.
        for _ in 0..<5 {
            let emitter = kept.value
            for value in 1...3 { emitter?.send(value) }
            if let failure { emitter?.fail(failure) } else { emitter?.complete() }
            emitter?.send(4)
            emitter?.complete()
            time.advance(by: .seconds(5))
        }
        let name = operators[index].name
        let ends = events.entries.count { $0 == "end" }
        if operators[index].traits.contains(.goesOn) {
            #expect(ends <= 1, "\(name)")
        } else {
            expectEqual(ends, 1, "\(name)")
        }
        #expect(ends == 0 || events.entries.last == "end", "\(name)")
        subscription.cancel()
        #expect(!log.entries.isEmpty, "\(name)")
    }

    @Test(
        "R17: a failure of the source fails the stream, once, and releases it",
        arguments: operators.indices.filter { operators[$0].traits.isDisjoint(with: [.catches, .goesOn]) })
    func failurePasses(_ index: Int) {
        let errors = Log()
        apply(index, to: source).subscribe(
            onError: { errors.add("\($0)") }, onCompleted: { errors.add("completed") })
        kept.value?.fail(Failure(id: 7))
        time.advance(by: .seconds(5))
        expectEqual(errors.entries, ["Failure(id: 7)"], "\(operators[index].name)")
        expectEqual(log.entries, ["released"], "\(operators[index].name)")
    }

    @Test(
        "R11: during each closure and each delivery, another thread can use the same stream",
        arguments: operators.indices
    )
    func noLockIsHeld(_ index: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let depth = Atomic(0)
        let stuck = Box(0)
        let probe: @Sendable () -> Void = {
            // The values that the other thread sends are also delivered here, later.
            guard depth.wrappingAdd(1, ordering: .relaxed).oldValue < 3 else { return }
            let isFree = finishesOnAnotherThread {
                emitter.send(2)
                signal.subscribeNext { _ in }.cancel()
            }
            if !isFree { stuck.change { $0 += 1 } }
        }
        let subscription = apply(index, to: signal.observable, probe: probe).subscribe { _ in probe() }
        for value in 1...3 { emitter.send(value) }
        time.advance(by: .seconds(2))
        emitter.complete()
        time.advance(by: .seconds(2))
        subscription.cancel()
        expectEqual(stuck.value, 0, "\(operators[index].name)")
    }

    @Test("R7: events do not overlap while threads send", arguments: operators.indices)
    func eventsDoNotOverlap(_ index: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let subscription = apply(index, to: signal.observable).subscribe { _ in
            if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 { overlaps.add(1, ordering: .relaxed) }
            // Gives the other threads the processor during the event.
            for _ in 0..<3 { sched_yield() }
            inside.subtract(1, ordering: .relaxed)
        }
        inParallel([0, 1, 2]) { thread in
            if thread == 2 {
                time.advance(by: .seconds(2))
            } else {
                for value in 0..<50 { emitter.send(value) }
            }
        }
        subscription.cancel()
        expectEqual(overlaps.load(ordering: .relaxed), 0, "\(operators[index].name)")
    }

    @Test(
        "R15: a cancel during the first value stops the source before subscribe returns",
        arguments: operators.indices)
    func cancelInside(_ index: Int) {
        let name = operators[index].name
        let (received, sentAfterCancel) = (Box(0), Box(0))
        let isCancelled = Box(false)
        let bag = SubscriptionBag()
        let stopped = Observable<Int> { [log] emitter in
            emitter.onTermination { log.add("released") }
            for value in 1...100 where emitter.send(value) && isCancelled.value { sentAfterCancel.change { $0 += 1 } }
        }
        let (start, go) = Signal<Void>.pipe()
        let delayed = start.flatMap { [self] _ in apply(index, to: stopped) }
        bag.insert(
            delayed.subscribe { event in
                guard case .next = event else { return }
                received.change { $0 += 1 }
                isCancelled.value = true
                bag.cancel()
            })
        go.send(())
        let isReleased = !log.entries.isEmpty
        #expect(isReleased || !isCancelled.value, "\(name)")
        time.advance(by: .seconds(2))
        #expect(received.value <= 1, "\(name)")
        expectEqual(sentAfterCancel.value, 0, "\(name)")
        bag.cancel()
        expectEqual(log.entries, ["released"], "\(name)")
    }

    /// The events of a stream while a source sends three values and completes, in virtual time.
    ///
    /// - Parameter isSlow: during the first event, another thread sends the rest, which waits behind that event.
    private func events(_ index: Int, isSlow: Bool) -> [String] {
        let (events, kept) = (Log(), Box<Emitter<Int>?>(nil))
        let time = VirtualTime()
        let stream = operators[index].apply(Observable { kept.value = $0 }, {}, time)
        let rest = Box<(@Sendable () -> Void)?>(nil)
        @Sendable func sendRest() {
            let send = rest.value
            rest.value = nil
            send?()
        }
        let subscription = stream.subscribe { event in
            if isSlow { #expect(finishesOnAnotherThread { sendRest() }, "\(operators[index].name)") }
            events.add("\(event)")
        }
        let emitter = kept.value
        rest.value = {
            for value in 2...3 { emitter?.send(value) }
            emitter?.complete()
        }
        emitter?.send(1)
        sendRest()
        time.advance(by: .seconds(5))
        subscription.cancel()
        return events.entries
    }

    @Test("R7, R8: a slow observer receives the events that a fast one receives", arguments: operators.indices)
    func slowObserver(_ index: Int) {
        expectEqual(events(index, isSlow: true), events(index, isSlow: false), "\(operators[index].name)")
    }

    @Test(
        "R1, R3, R5: completion, failure and cancel race: at most one terminal event, and all is released",
        arguments: operators.indices)
    func racingEnds(_ index: Int) {
        for round in 0..<6 { race([operators[index]], isCancelled: round % 2 == 0) }
    }

    @Test("R1, R3, R5: chains of random operators keep these rules while ends race", arguments: 0..<20)
    func racingChains(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let runs = BusyThreads.runs / 10
        for _ in 0..<runs {
            let chain = (0..<Int.random(in: 2...4, using: &generator)).compactMap { _ in
                operators.randomElement(using: &generator)
            }
            race(chain, isCancelled: .random(using: &generator))
        }
    }

    /// Sends values, completion, a failure and a cancel from several threads, through a chain of operators.
    private func race(_ chain: [OperatorUnderTest], isCancelled: Bool) {
        let name = chain.map(\.name).joined(separator: ", ")
        let (time, sources) = (VirtualTime(), Box((started: 0, released: 0)))
        let kept = Box<Emitter<Int>?>(nil)
        let events = Log()
        let source = Observable<Int> { emitter in
            kept.value = emitter
            sources.change { $0.started += 1 }
            emitter.onTermination { sources.change { $0.released += 1 } }
        }
        weak var held: Log?
        let subscription: Subscription
        do {
            let observer = Log()
            held = observer
            subscription = chain.reduce(source) { $1.apply($0, {}, time) }.subscribe { event in
                observer.add("")
                if case .next = event { events.add("next") } else { events.add("end") }
            }
        }
        let emitter = kept.value
        inParallel([0, 1, 2, 3]) { thread in
            emitter?.send(thread)
            switch thread {
            case 0: emitter?.complete()
            case 1: emitter?.fail(Failure())
            case 2: time.advance(by: .seconds(2))
            default: if isCancelled { subscription.cancel() }
            }
        }
        time.advance(by: .seconds(5))
        subscription.cancel()
        let count = events.entries.count
        time.advance(by: .seconds(5))
        expectEqual(events.entries.count, count, "\(name)")
        #expect(events.entries.count { $0 == "end" } <= 1, "\(name)")
        #expect(events.entries.firstIndex(of: "end").map { $0 == count - 1 } ?? true, "\(name)")
        expectEqual(sources.value.started, sources.value.released, "\(name)")
        #expect(held == nil, "\(name)")
    }

    /// Operators with a closure that returns a stream for a value, or for the failure after it.
    private static let makers:
        [@Sendable (Observable<Int>, @escaping @Sendable () -> Observable<Int>) -> Observable<Int>] =
            [
                { source, make in source.flatMap { _ in make() } },
                { source, make in source.concatMap { _ in make() } },
                { source, make in source.flatMapFirst { _ in make() } },
                { source, make in source.flatMapLatest { _ in make() } },
                { source, make in source.expand { _ in make() } },
                { source, make in source.flatMap { _ in Observable.deferred { make() } } },
                { source, make in source.map { _ in throw Failure() }.catch { _ in make() } },
                { source, make in source.map { _ in throw Failure() }.retry { _, _ in make() } },
            ]

    @Test("R5: no inner stream starts after a cancel in the closure that returns it", arguments: makers.indices)
    func nothingStartsAfterACancel(_ index: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let bag = SubscriptionBag()
        let stream = Self.makers[index](signal.observable) { [log] in
            log.add("made")
            bag.cancel()
            return Observable { _ in log.add("produced") }
        }
        bag.insert(stream.subscribe { _ in })
        emitter.send(1)
        expectEqual(log.entries, ["made"])
    }

    @Test("R1: a source whose timeout has passed before the subscription is not subscribed")
    func nothingStartsAfterItsEnd() {
        let produced = Observable<Int> { [log] _ in log.add("produced") }
        produced.timeout(after: .zero, on: ImmediateScheduler.immediate).subscribeError { _ in }
        #expect(log.entries.isEmpty)
    }
}
