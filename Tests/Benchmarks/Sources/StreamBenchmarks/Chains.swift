import AsyncAlgorithms
import Measuring
import MoyaStreams
import OpenCombine

extension StreamWorkloads {
    static var chain: Workload {
        Workload(
            name: "map, filter, map", operations: count,
            contenders: [
                floor(mapFilterMap) { hidden in
                    hidden.map = { $0 &* 3 }
                    hidden.filter = { $0 & 1 == 0 }
                    hidden.last = { $0 &+ 1 }
                },
                .init(name: "ours") { sum(literalChain(opaque(.from(0..<count)))) },
                .init(name: "OpenCombine") { sum(literalChain(opaque(numbers(0..<count)))) },
                .init(name: "AsyncStream") {
                    var sum = 0
                    for await element in asyncNumbers(count).map({ $0 &* 3 }).filter({ $0 & 1 == 0 }).map({ $0 &+ 1 }) {
                        sum &+= element
                    }
                    return sum
                },
                .init(name: "AsyncAlgorithms") {
                    var sum = 0
                    for await element in (0..<count).async.map({ $0 &* 3 }).filter({ $0 & 1 == 0 }).map({ $0 &+ 1 }) {
                        sum &+= element
                    }
                    return sum
                },
            ],
            bars: [
                .atMost(3.5, times: "floor", group: "chain"),
                .atLeast(14, timesFasterThan: "OpenCombine", group: "chain"),
            ],
            mallocs: 0)
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
        let (factor, mask, offset) = opaque((3, 1, 1))
        return Workload(
            name: "the same, closures capture", operations: count,
            contenders: [
                floor(mapFilterMap) { hidden in
                    hidden.map = { $0 &* factor }
                    hidden.filter = { $0 & mask == 0 }
                    hidden.last = { $0 &+ offset }
                },
                .init(name: "ours") {
                    sum(capturingChain(opaque(.from(0..<count)), factor, mask, offset))
                },
                .init(name: "OpenCombine") {
                    sum(capturingChain(opaque(numbers(0..<count)), factor, mask, offset))
                },
            ],
            bars: [
                .atMost(3.5, times: "floor", group: "chain"),
                .atLeast(14, timesFasterThan: "OpenCombine", group: "chain"),
            ],
            mallocs: 0)
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

    /// Compares the cost of one more `map` with that of one more function call: four of eight are counted.
    static var maps: Workload {
        func contender(_ name: String, _ run: @escaping @Sendable (_ depth: Int) -> Int) -> Workload.Contender {
            .init(name: name, rest: { run(4) }, run: { run(8) })
        }
        return Workload(
            name: "one more map", operations: count * 4,
            contenders: [
                contender("floor") { depth in
                    let hidden = opaque(Hidden(map: { $0 &+ 1 }, observe: { _ in }))
                    var sum = 0
                    for element in 0..<count {
                        var value = element
                        for _ in 0..<depth { value = hidden.map(value) }
                        sum &+= value
                    }
                    return sum
                },
                contender("ours") { depth in
                    var stream = opaque(Observable.from(0..<count))
                    for _ in 0..<depth { stream = opaque(stream.map { $0 &+ 1 }) }
                    return sum(stream)
                },
                contender("OpenCombine") { depth in
                    var publisher = numbers(0..<count).eraseToAnyPublisher()
                    for _ in 0..<depth { publisher = publisher.map { $0 &+ 1 }.eraseToAnyPublisher() }
                    return sum(publisher)
                },
            ],
            bars: [.atMost(3, times: "floor")], mallocs: 0)
    }

    static var visibleChain: Workload {
        Workload(
            name: "the same, visible in one function", operations: count,
            contenders: [
                floor(mapFilterMap) { hidden in
                    hidden.map = { $0 &* 3 }
                    hidden.filter = { $0 & 1 == 0 }
                    hidden.last = { $0 &+ 1 }
                },
                .init(name: "ours") {
                    let sum = Sum()
                    Observable.from(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
                        .subscribeNext { sum.add($0) }
                    return sum.value
                },
            ],
            bars: [.atMost(0.5, times: "floor")], mallocs: 0)
    }

    static var scan: Workload {
        Workload(
            name: "scan", operations: count,
            contenders: [
                floor(accumulate) { $0.accumulate = { $0 &+ $1 } },
                .init(name: "ours") {
                    sum(opaque(Observable.from(0..<count)).scan(0) { $0 &+ $1 })
                },
                .init(name: "OpenCombine") {
                    sum(opaque(numbers(0..<count)).eraseToAnyPublisher().scan(0) { $0 &+ $1 }.eraseToAnyPublisher())
                },
            ],
            bars: [.atMost(9, times: "floor")], mallocs: 0)
    }
}
