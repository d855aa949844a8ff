import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// What the operators hold, and for how long.
///
/// A new operator is covered by a line in the table.
@Suite struct ReleaseTests {
    typealias Operator = @Sendable (Observable<Int>) -> Observable<Int>

    static let operators: [(name: String, apply: Operator)] = [
        ("map", { $0.map { $0 + 1 } }),
        ("compactMap", { $0.compactMap { $0 > 0 ? $0 : nil } }),
        ("filter", { $0.filter { $0 > 0 } }),
        ("take", { $0.take(5) }),
        ("flatMap", { $0.flatMap { Observable.just($0) } }),
        ("flatMap, inner never ends", { $0.flatMap { value in Observable { $0.send(value) } } }),
        ("catchError", { $0.catchError { _ in .just(0) } }),
        ("handle", { $0.handle(onNext: { _ in }, onEnd: {}) }),
        ("flatMapLatest", { $0.flatMapLatest { Observable.just($0) } }),
        ("flatMapLatest, inner never ends", { $0.flatMapLatest { value in Observable { $0.send(value) } } }),
        ("debounce", { $0.debounce(for: .seconds(1), on: VirtualTime()) }),
        ("scan", { $0.scan(0) { $0 + $1 } }),
        ("reduce", { $0.reduce(0) { $0 + $1 } }),
        ("toArray", { $0.toArray().map(\.count) }),
        ("concatMap", { $0.concatMap { Observable.just($0) } }),
        ("materialize", { $0.materialize().dematerialize() }),
        ("asResults", { $0.asResults().map { (try? $0.get()) ?? 0 } }),
        ("buffer", { $0.buffer(count: 2).map(\.count) }),
        ("distinctUntilChanged", { $0.distinctUntilChanged() }),
        ("take(while:)", { $0.take(while: { $0 < 5 }) }),
        ("take(until:)", { $0.take(until: Observable<Int>.never()) }),
        ("takeLast", { $0.takeLast(2) }),
        ("skip", { $0.skip(1) }),
        ("skip(while:)", { $0.skip(while: { $0 > 5 }) }),
        ("element(at:)", { $0.element(at: 3) }),
        ("ignoreElements", { $0.ignoreElements().concat(Observable.just(0)) }),
        ("ifEmpty", { $0.ifEmpty(default: 0) }),
        ("merge", { $0.merge(with: Observable.never()) }),
        ("concat", { $0.concat(Observable.just(0)) }),
        ("startWith", { $0.skip(1).startWith(1).skip(1) }),
        ("withLatest", { $0.withLatest(from: Observable.just(1)).map { $0 + $1 } }),
        ("mapError", { $0.mapError { $0 } }),
        ("delay", { $0.delay(for: .seconds(1), on: VirtualTime()) }),
        ("timeout", { $0.timeout(after: .seconds(1), on: VirtualTime()) }),
        ("repeated", { $0.repeated(times: 2) }),
        ("retry", { $0.retry(times: 2) }),
        ("retry with a policy", { $0.retry(.constant(.seconds(1), times: 2), on: VirtualTime()) }),
        ("observe(on:)", { $0.observe(on: VirtualTime()) }),
    ]

    /// Subscribes with an object in the observer, and says by `held` whether it is still there.
    private func subscribe(_ stream: Observable<Int>) -> (subscription: Subscription, held: @Sendable () -> Bool) {
        let log = Log()
        let subscription = stream.subscribeNext { log.add("\($0)") }
        return (subscription, { [weak log] in log != nil })
    }

    @Test("R22: a cancel releases the observer while emitter and token are kept", arguments: operators.indices)
    func cancelReleases(_ index: Int) {
        let kept = Box<Emitter<Int>?>(nil)
        let (subscription, held) = subscribe(Self.operators[index].apply(Observable { kept.value = $0 }))
        kept.value?.send(1)
        #expect(held())
        subscription.cancel()
        #expect(!held(), "\(Self.operators[index].name)")
        #expect(kept.value?.send(2) == false)
    }

    /// What subscribes again keeps what it subscribes, and so a hot source that never ends; a timeout must come, whatever
    /// becomes of the source.
    private static let holding = ["retry", "retry with a policy", "repeated", "timeout"]

    @Test(
        "R21, R22: a signal that is dropped without an end takes its observers along",
        arguments: operators.indices.filter { !holding.contains(operators[$0].name) })
    func droppedSourceReleases(_ index: Int) {
        let held: @Sendable () -> Bool
        do {
            let (signal, emitter) = Signal<Int>.pipe()
            held = subscribe(Self.operators[index].apply(signal.observable)).held
            #expect(held())
            #expect(!emitter.isCancelled)
        }
        #expect(!held(), "\(Self.operators[index].name)")
    }

    @Test(
        "R22: never holds nothing, whatever stands behind it",
        arguments: operators.indices.filter { operators[$0].name != "timeout" })
    func neverReleases(_ index: Int) {
        let held = subscribe(Self.operators[index].apply(.never())).held
        #expect(!held(), "\(Self.operators[index].name)")
    }

    @Test("R3: nothing comes after a cancel", arguments: operators.indices)
    func genericRules(_ index: Int) {
        let kept = Box<Emitter<Int>?>(nil)
        let log = Log()
        let stream = Self.operators[index].apply(Observable { kept.value = $0 })
        let subscription = stream.subscribe { event in log.add("\(event)") }
        subscription.cancel()
        kept.value?.send(1)
        kept.value?.complete()
        #expect(log.entries.isEmpty, "\(Self.operators[index].name)")
    }
}
