import AsyncAlgorithms
import Measuring
import MoyaStreams
import OpenCombine

extension StreamWorkloads {
    static var flatMapJust: Workload {
        Workload(
            name: "flatMap(just)", operations: count / 10,
            contenders: [
                floor(mapATenth) { $0.map = { $0 &+ 1 } },
                .init(name: "ours") {
                    sum(opaque(Observable.from(0..<count / 10)).flatMap { Observable.just($0 &+ 1) })
                },
                .init(name: "OpenCombine") {
                    sum(numbers(0..<count / 10).flatMap { Just($0 &+ 1) }.eraseToAnyPublisher())
                },
            ],
            bars: [.atLeast(8, timesFasterThan: "OpenCombine")], mallocs: 2)
    }

    static var flatMapSequence: Workload {
        Workload(
            name: "flatMap, other synchronous inner", operations: count / 10,
            contenders: [
                floor(mapATenth) { $0.map = { $0 &+ 1 } },
                .init(name: "ours") {
                    sum(opaque(Observable.from(0..<count / 10)).flatMap { Observable.from($0 &+ 1..<$0 &+ 2) })
                },
                .init(name: "OpenCombine") {
                    sum(numbers(0..<count / 10).flatMap { numbers($0 &+ 1..<$0 &+ 2) }.eraseToAnyPublisher())
                },
            ],
            bars: [.atLeast(6, timesFasterThan: "OpenCombine")], mallocs: 2)
    }

    static var concat: Workload {
        Workload(
            name: "concat 10", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") { sum(Observable.concat(tenRanges.map { opaque(.from($0)) })) },
                .init(name: "OpenCombine") {
                    sum(
                        tenRanges.dropFirst().reduce(numbers(tenRanges[0]).eraseToAnyPublisher()) {
                            $0.append(numbers($1)).eraseToAnyPublisher()
                        })
                },
                .init(name: "AsyncAlgorithms") {
                    var sum = 0
                    for await element in AsyncAlgorithms.chain(
                        tenRanges[0].async, tenRanges[1].async, (200_000..<count).async)
                    {
                        sum &+= element
                    }
                    return sum
                },
            ],
            bars: [.atMost(5, times: "floor")], mallocs: 0)
    }

    static var merge: Workload {
        Workload(
            name: "merge 10", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") { sum(Observable.merge(tenRanges.map { opaque(.from($0)) })) },
                .init(name: "OpenCombine") {
                    sum(
                        Publishers.Sequence<[Range<Int>], Never>(sequence: tenRanges).flatMap { numbers($0) }
                            .eraseToAnyPublisher())
                },
            ],
            bars: [.atMost(5, times: "floor")], mallocs: 0)
    }

    private static let tenRanges = (0..<10).map { $0 * count / 10..<($0 + 1) * count / 10 }
}
