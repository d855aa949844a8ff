import Moya
import MoyaStreams
import MoyaTesting
import Synchronization
import TestSupport
import Testing

/// The rules of the stream contract, for all operators.
///
/// A line in `operators` covers a new operator.
@Suite struct ConformanceTests {
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
        #expect(log.entries == ["released"], "\(operators[index].name)")
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
        if !operators[index].traits.contains(.goesOn) {
            #expect(events.entries.filter { $0 == "end" }.count == 1, "\(name)")
            #expect(events.entries.last == "end", "\(name)")
        }
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
        #expect(errors.entries == ["Failure(id: 7)"], "\(operators[index].name)")
        #expect(log.entries == ["released"], "\(operators[index].name)")
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
        #expect(stuck.value == 0, "\(operators[index].name)")
    }

    @Test("R7: events do not overlap while threads send", arguments: operators.indices)
    func eventsDoNotOverlap(_ index: Int) {
        let (signal, emitter) = Signal<Int>.pipe()
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let subscription = apply(index, to: signal.observable).subscribe { _ in
            if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 { overlaps.add(1, ordering: .relaxed) }
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
        #expect(overlaps.load(ordering: .relaxed) == 0, "\(operators[index].name)")
    }

    @Test(
        "R15: a cancel during the first value stops the source before subscribe returns",
        arguments: operators.indices)
    func cancelInside(_ index: Int) {
        let events = Log()
        let token = Box<Subscription?>(nil)
        let released = Box(false)
        let (start, go) = Signal<Void>.pipe()
        let stopped = Observable<Int> { emitter in
            emitter.onTermination { released.value = true }
            for value in 1...100 where emitter.send(value) {}
        }
        let delayed = start.flatMap { [self] _ in apply(index, to: stopped) }
        token.value = delayed.subscribe { event in
            guard case .next = event else { return }
            events.add("next")
            token.value?.cancel()
        }
        go.send(())
        time.advance(by: .seconds(2))
        #expect(events.entries.count <= 1, "\(operators[index].name)")
        token.value?.cancel()
        #expect(released.value, "\(operators[index].name)")
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
        #expect(log.entries == ["made"])
    }

    @Test("R1: a source whose timeout has passed before the subscription is not subscribed")
    func nothingStartsAfterItsEnd() {
        let produced = Observable<Int> { [log] _ in log.add("produced") }
        produced.timeout(after: .zero, on: ImmediateScheduler.immediate).subscribeError { _ in }
        #expect(log.entries.isEmpty)
    }
}
