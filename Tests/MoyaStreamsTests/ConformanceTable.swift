import Moya
import MoyaStreams
import MoyaTesting

/// An operator on numbers, for the conformance tests.
struct OperatorUnderTest: Sendable {
    struct Traits: OptionSet {
        let rawValue: Int

        /// The operator resubscribes, and therefore retains its source, also a hot one that is dropped.
        static let keepsSource = Traits(rawValue: 1)
        /// The operator has a timer, which retains the observer.
        static let keepsObserver = Traits(rawValue: 2)
        /// The stream does not fail when the source fails.
        static let catches = Traits(rawValue: 4)
        /// The stream does not end when the source ends.
        static let goesOn = Traits(rawValue: 8)
    }

    let name: String
    let traits: Traits
    /// Applies the operator to a source.
    ///
    /// - Parameter probe: called in each closure that is passed to the operator.
    let apply:
        @Sendable (_ source: Observable<Int>, _ probe: @escaping @Sendable () -> Void, VirtualTime) -> Observable<Int>

    init(
        _ name: String, _ traits: Traits = [],
        _ apply: @escaping @Sendable (Observable<Int>, @escaping @Sendable () -> Void, VirtualTime) -> Observable<Int>
    ) {
        self.name = name
        self.traits = traits
        self.apply = apply
    }
}

let operators: [OperatorUnderTest] = transforming + filtering + combining + recovering + timing + watching

private let second = Duration.seconds(1)

private let transforming: [OperatorUnderTest] = [
    .init("map") { source, probe, _ in
        source.map {
            probe(); return $0 + 1
        }
    },
    .init("compactMap") { source, probe, _ in
        source.compactMap {
            probe(); return $0 > 0 ? $0 : nil
        }
    },
    .init("flatMap") { source, probe, _ in
        source.flatMap {
            probe(); return Observable.just($0)
        }
    },
    .init("flatMap, synchronous inner") { source, probe, _ in
        source.flatMap {
            probe(); return Observable.of($0, $0)
        }
    },
    .init("flatMap, limited") { source, probe, _ in
        source.flatMap(maxConcurrent: 1) { value in
            probe();
            return Observable {
                $0.send(value); $0.complete()
            }
        }
    },
    .init("flatMap, inner never ends", .goesOn) { source, probe, _ in
        source.flatMap { value in
            probe(); return Observable { $0.send(value) }
        }
    },
    .init("flatMapFirst") { source, probe, _ in
        source.flatMapFirst {
            probe(); return Observable.just($0)
        }
    },
    .init("flatMapLatest") { source, probe, _ in
        source.flatMapLatest {
            probe(); return Observable.just($0)
        }
    },
    .init("flatMapLatest, inner never ends", .goesOn) { source, probe, _ in
        source.flatMapLatest { value in
            probe(); return Observable { $0.send(value) }
        }
    },
    .init("concatMap") { source, probe, _ in
        source.concatMap {
            probe(); return Observable.just($0)
        }
    },
    .init("expand") { source, probe, _ in
        source.expand {
            probe(); return $0 < 9 ? .just($0 + 9) : .empty()
        }
    },
    .init("scan") { source, probe, _ in
        source.scan(0) {
            probe(); return $0 + $1
        }
    },
    .init("reduce") { source, probe, _ in
        source.reduce(0) {
            probe(); return $0 + $1
        }
    },
    .init("toArray") { source, _, _ in source.toArray().map(\.count) },
    .init("buffer(count:)") { source, _, _ in source.buffer(count: 2).map(\.count) },
    .init("buffer(for:)") { source, _, time in source.buffer(for: second, count: 2, on: time).map(\.count) },
    .init("enumerated") { source, _, _ in source.enumerated().map(\.element) },
    .init("pairwise") { source, _, _ in source.pairwise().map(\.current) },
    .init("scan(into:)") { source, probe, _ in
        source.scan(into: 0) {
            probe(); $0 += $1
        }
    },
    .init("reduce(into:)") { source, probe, _ in
        source.reduce(into: 0) {
            probe(); $0 += $1
        }
    },
    .init("groupBy") { source, probe, _ in
        source.groupBy {
            probe(); return $0 % 2
        }.flatMap { $0.values }
    },
    .init("window(count:)") { source, _, _ in source.window(count: 2).flatMap { $0 } },
    .init("window(for:)") { source, _, time in source.window(for: second, count: 2, on: time).flatMap { $0 } },
    .init("materialize") { source, _, _ in source.materialize().dematerialize() },
    .init("asResults", .catches) { source, _, _ in source.asResults().map { (try? $0.get()) ?? 0 } },
]

private let filtering: [OperatorUnderTest] = [
    .init("filter") { source, probe, _ in
        source.filter {
            probe(); return $0 > 0
        }
    },
    .init("distinctUntilChanged") { source, probe, _ in
        source.distinctUntilChanged {
            probe(); return $0 == $1
        }
    },
    .init("distinctUntilChanged(by: key)") { source, probe, _ in
        source.distinctUntilChanged(by: { value -> Int in
            probe(); return value
        })
    },
    .init("take(whileAlive:) with a closure") { source, probe, _ in
        source.take(whileAlive: Owner.shared) {
            probe(); return $1
        }
    },
    .init("take") { source, _, _ in source.take(5) },
    .init("take(while:)") { source, probe, _ in
        source.take(while: {
            probe(); return $0 < 5
        })
    },
    .init("take(until:)") { source, _, _ in source.take(until: Observable<Int>.never()) },
    .init("take(whileAlive:)") { source, _, _ in source.take(whileAlive: Owner.shared) },
    .init("takeLast") { source, _, _ in source.takeLast(2) },
    .init("skip") { source, _, _ in source.skip(1) },
    .init("skip(while:)") { source, probe, _ in
        source.skip(while: {
            probe(); return $0 > 5
        })
    },
    .init("skip(until:)") { source, _, _ in source.skip(until: Observable.just(1)) },
    .init("first") { source, _, _ in source.skip(1).first() },
    .init("single") { source, _, _ in source.ignoreElements().concat(Observable.just(1)).single() },
    .init("first(where:)") { source, probe, _ in
        source.skip(1).first {
            probe(); return $0 > 0
        }
    },
    .init("allSatisfy") { source, probe, _ in
        source.allSatisfy {
            probe(); return $0 < 100
        }.map { $0 ? 1 : 0 }
    },
    .init("max") { source, _, _ in source.max().concat(Observable.just(0)) },
    .init("take(for:)", .keepsObserver) { source, _, time in source.take(for: .seconds(60), on: time) },
    .init("element(at:)") { source, _, _ in source.element(at: 3) },
    .init("ignoreElements") { source, _, _ in source.ignoreElements().concat(Observable.just(0)) },
    .init("ifEmpty") { source, _, _ in source.ifEmpty(default: 0) },
]

private final class Owner: Sendable {
    static let shared = Owner()
}

private let combining: [OperatorUnderTest] = [
    .init("merge", .goesOn) { source, _, _ in source.merge(with: Observable.never()) },
    .init("merge, synchronous") { source, _, _ in source.merge(with: Observable.of(1, 2)).skip(2) },
    .init("concat") { source, _, _ in source.concat(Observable.just(0)) },
    .init("startWith") { source, _, _ in source.skip(1).startWith(1).skip(1) },
    .init("withLatestFrom") { source, _, _ in source.withLatestFrom(Observable.just(1)).map { $0 + $1 } },
    .init("zip") { source, _, _ in Observable.zip(source, Observable.from(0..<1000)).map { $0 + $1 } },
    .init("zip of an array") { source, _, _ in Observable.zip([source, Observable.from(0..<9)]).map { $0[0] + $0[1] } },
    .init("combineLatest") { source, _, _ in Observable.combineLatest(source, Observable.just(1)).map { $0 + $1 } },
    .init("combineLatest of an array") { source, _, _ in
        Observable.combineLatest([source, Observable.just(1)]).map { $0[0] + $0[1] }
    },
    .init("race") { source, _, _ in Observable.race(source, .never()) },
    .init("switchLatest") { source, _, _ in source.map { Observable.just($0) }.switchLatest() },
]

private let recovering: [OperatorUnderTest] = [
    .init("catch", .catches) { source, probe, _ in
        source.catch { _ in
            probe(); return .just(0)
        }
    },
    .init("mapError") { source, probe, _ in
        source.mapError {
            probe(); return $0
        }
    },
    .init("retry", [.keepsSource, .goesOn]) { source, _, _ in source.retry(times: 2) },
    .init("retry with a policy", [.keepsSource, .goesOn]) { source, _, time in
        source.retry(.constant(second, times: 2), on: time)
    },
    .init("retry(when:)", [.keepsSource, .goesOn]) { source, probe, time in
        source.retry { _, _ in
            probe(); return Observable<Int>.timer(after: second, on: time)
        }
    },
    .init("repeat", [.keepsSource, .goesOn]) { source, _, _ in source.repeat(times: 2) },
    .init("timeout(after:switchTo:)", [.keepsObserver]) { source, _, time in
        source.timeout(after: .seconds(60), switchTo: Observable.just(0), on: time)
    },
    .init("timeout", .keepsObserver) { source, _, time in source.timeout(after: .seconds(60), on: time) },
]

private let timing: [OperatorUnderTest] = [
    .init("debounce") { source, _, time in source.debounce(for: second, on: time) },
    .init("throttle") { source, _, time in source.throttle(for: second, on: time) },
    .init("sample", .keepsObserver) { source, _, time in source.sample(by: Observable.interval(second, on: time)) },
    .init("sample with a default", .keepsObserver) { source, _, time in
        source.sample(by: Observable.interval(second, on: time), defaultValue: 0)
    },
    .init("delay") { source, _, time in source.delay(for: second, on: time) },
    .init("delaySubscription") { source, _, time in
        source.delaySubscription(for: .zero, on: ImmediateScheduler.immediate)
    },
    .init("observe(on:)") { source, _, time in source.observe(on: time) },
    .init("subscribe(on:)") { source, _, _ in source.subscribe(on: ImmediateScheduler.immediate) },
]

private let watching: [OperatorUnderTest] = [
    .init("handleEvents") { source, probe, _ in
        source.handleEvents(onSubscribe: probe, onNext: { _ in probe() }, onEnd: probe)
    },
    .init("debug") { source, probe, _ in source.debug("") { _ in probe() } },
    .init("share") { source, _, _ in source.share() },
    .init("share with replay") { source, _, _ in source.share(replay: .latest(2), scope: .whileSubscribed) },
    .init("using") { source, probe, _ in
        Observable.using {
            probe(); return 1
        } stream: { _ in
            probe(); return source
        } close: { _ in
            probe()
        }
    },
]
