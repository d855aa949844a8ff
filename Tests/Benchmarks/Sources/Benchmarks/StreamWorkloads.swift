import MoyaStreams
import OpenCombine
import Synchronization

/// The floor is the same closures, called in a plain loop; they reach it through `opaque`, so that the compiler cannot
/// see what it calls.
enum StreamWorkloads {
    static let count = 1_000_000

    static var all: [Workload] {
        [chain, capturingChain, visibleChain, push, flatMapJust]
    }

    struct Hidden: Sendable {
        let first: @Sendable (Int) -> Int
        let second: @Sendable (Int) -> Bool
        let third: @Sendable (Int) -> Int
    }

    @inline(never)
    @_optimize(none)
    static func opaque<Value>(_ value: Value) -> Value { value }

    @inline(never)
    static func loop(_ hidden: Hidden) -> Int {
        var sum = 0
        for element in 0..<count {
            let first = hidden.first(element)
            if hidden.second(first) { sum &+= hidden.third(first) }
        }
        return sum
    }

    @inline(never)
    static func sum(_ observable: Observable<Int>) -> Int {
        let sum = Sum()
        observable.subscribeNext { sum.add($0) }
        return sum.value
    }

    @inline(never)
    static func sum(_ publisher: AnyPublisher<Int, Never>) -> Int {
        var sum = 0
        withExtendedLifetime(publisher.sink { sum &+= $0 }) {}
        return sum
    }

    static var chain: Workload {
        Workload(
            name: "map, filter, map", operations: count,
            contenders: [
                .init(name: "floor") {
                    loop(opaque(Hidden(first: { $0 &* 3 }, second: { $0 & 1 == 0 }, third: { $0 &+ 1 })))
                },
                .init(name: "ours") { sum(literalChain(opaque(.from(0..<count)))) },
                .init(name: "OpenCombine") {
                    sum(literalChain(opaque(Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count))))
                },
                .init(name: "AsyncStream") {
                    var sum = 0
                    for await element in asyncNumbers(count).map({ $0 &* 3 }).filter({ $0 & 1 == 0 }).map({ $0 &+ 1 }) {
                        sum &+= element
                    }
                    return sum
                },
            ],
            bars: [
                .atMost(3.5, times: "floor", group: "chain"),
                .atLeast(14, timesFasterThan: "OpenCombine", group: "chain"),
            ])
    }

    @inline(never)
    static func literalChain(_ source: Observable<Int>) -> Observable<Int> {
        source.map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
    }

    @inline(never)
    static func literalChain(_ source: Publishers.Sequence<Range<Int>, Never>) -> AnyPublisher<Int, Never> {
        let mapped: AnyPublisher<Int, Never> = Publishers.Map(upstream: source) { $0 &* 3 }.eraseToAnyPublisher()
        return mapped.filter { $0 & 1 == 0 }.map { $0 &+ 1 }.eraseToAnyPublisher()
    }

    static var capturingChain: Workload {
        Workload(
            name: "the same, closures capture", operations: count,
            contenders: [
                .init(name: "floor") {
                    let (factor, mask, offset) = opaque((3, 1, 1))
                    return loop(
                        opaque(Hidden(first: { $0 &* factor }, second: { $0 & mask == 0 }, third: { $0 &+ offset })))
                },
                .init(name: "ours") {
                    let (factor, mask, offset) = opaque((3, 1, 1))
                    return sum(capturingChain(opaque(.from(0..<count)), factor, mask, offset))
                },
                .init(name: "OpenCombine") {
                    let (factor, mask, offset) = opaque((3, 1, 1))
                    let source = opaque(Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count))
                    return sum(capturingChain(source, factor, mask, offset))
                },
            ],
            bars: [
                .atMost(3.5, times: "floor", group: "chain"),
                .atLeast(14, timesFasterThan: "OpenCombine", group: "chain"),
            ])
    }

    @inline(never)
    static func capturingChain(
        _ source: Observable<Int>, _ factor: Int, _ mask: Int, _ offset: Int
    ) -> Observable<Int> {
        source.map { $0 &* factor }.filter { $0 & mask == 0 }.map { $0 &+ offset }
    }

    @inline(never)
    static func capturingChain(
        _ source: Publishers.Sequence<Range<Int>, Never>, _ factor: Int, _ mask: Int, _ offset: Int
    ) -> AnyPublisher<Int, Never> {
        let mapped: AnyPublisher<Int, Never> = Publishers.Map(upstream: source) { $0 &* factor }.eraseToAnyPublisher()
        return mapped.filter { $0 & mask == 0 }.map { $0 &+ offset }.eraseToAnyPublisher()
    }

    static var visibleChain: Workload {
        Workload(
            name: "the same, visible in one function", operations: count,
            contenders: [
                .init(name: "floor") {
                    loop(opaque(Hidden(first: { $0 &* 3 }, second: { $0 & 1 == 0 }, third: { $0 &+ 1 })))
                },
                .init(name: "ours") {
                    let sum = Sum()
                    Observable.from(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
                        .subscribeNext { sum.add($0) }
                    return sum.value
                },
            ],
            bars: [.atMost(0.5, times: "floor")])
    }

    static var push: Workload {
        Workload(
            name: "push, map, filter, 1 observer", operations: count,
            contenders: [
                .init(name: "floor") {
                    loop(opaque(Hidden(first: { $0 &* 3 }, second: { $0 & 1 == 0 }, third: { $0 })))
                },
                .init(name: "ours") {
                    let (signal, emitter) = Signal<Int>.pipe()
                    let sum = Sum()
                    signal.map { $0 &* 3 }.filter { $0 & 1 == 0 }.subscribeNext { sum.add($0) }
                    for element in 0..<count { emitter.send(element) }
                    return sum.value
                },
                .init(name: "OpenCombine") {
                    let subject = PassthroughSubject<Int, Never>()
                    var sum = 0
                    let token = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { sum &+= $0 }
                    for element in 0..<count { subject.send(element) }
                    token.cancel()
                    return sum
                },
            ])
    }

    static var flatMapJust: Workload {
        Workload(
            name: "flatMap(just)", operations: count / 10,
            contenders: [
                .init(name: "floor") {
                    let hidden = opaque(Hidden(first: { $0 &+ 1 }, second: { _ in true }, third: { $0 }))
                    var sum = 0
                    for element in 0..<count / 10 { sum &+= hidden.third(hidden.first(element)) }
                    return sum
                },
                .init(name: "ours") {
                    sum(opaque(Observable.from(0..<count / 10)).flatMap { Observable.just($0 &+ 1) })
                },
                .init(name: "OpenCombine") {
                    let source = Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count / 10)
                    return sum(source.flatMap { Just($0 &+ 1) }.eraseToAnyPublisher())
                },
            ])
    }

    static func asyncNumbers(_ count: Int) -> AsyncStream<Int> {
        AsyncStream { continuation in
            for element in 0..<count { continuation.yield(element) }
            continuation.finish()
        }
    }
}

/// A sum that a sendable closure may add to; used by one thread at a time.
final class Sum: Sendable {
    private let sum = Atomic<Int>(0)

    var value: Int { sum.load(ordering: .relaxed) }

    @inline(__always)
    func add(_ element: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ element, ordering: .relaxed)
    }
}
