import AsyncAlgorithms
import Measuring
import MoyaStreams
import OpenCombine

extension StreamWorkloads {
    static var push: Workload {
        push(
            "push, map, filter, 1 observer",
            hidden: { hidden in
                hidden.map = { $0 &* 3 }
                hidden.filter = { $0 & 1 == 0 }
            },
            ours: { $0.map { $0 &* 3 }.filter { $0 & 1 == 0 } },
            openCombine: { $0.map { $0 &* 3 }.filter { $0 & 1 == 0 }.eraseToAnyPublisher() })
    }

    static var capturingPush: Workload {
        let (factor, mask) = opaque((3, 1))
        return push(
            "push, closures capture",
            hidden: { hidden in
                hidden.map = { $0 &* factor }
                hidden.filter = { $0 & mask == 0 }
            },
            ours: { $0.map { $0 &* factor }.filter { $0 & mask == 0 } },
            openCombine: { $0.map { $0 &* factor }.filter { $0 & mask == 0 }.eraseToAnyPublisher() })
    }

    private static func push(
        _ name: String, hidden: @escaping @Sendable (inout Hidden) -> Void,
        ours: @escaping @Sendable (Signal<Int>) -> Observable<Int>,
        openCombine: @escaping @Sendable (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
    ) -> Workload {
        Workload(
            name: name, operations: count,
            contenders: [
                floor(mapFilter, hidden),
                .init(name: "ours") {
                    let (signal, emitter) = Signal<Int>.pipe()
                    let sum = Sum()
                    ours(signal).subscribeNext { sum.add($0) }
                    for element in 0..<count { emitter.send(element) }
                    return sum.value
                },
                .init(name: "OpenCombine") {
                    let subject = PassthroughSubject<Int, Never>()
                    var sum = 0
                    let token = openCombine(subject).sink { sum &+= $0 }
                    for element in 0..<count { subject.send(element) }
                    token.cancel()
                    return sum
                },
            ],
            bars: [
                .atMost(6, times: "floor", group: "push"),
                .atLeast(5, timesFasterThan: "OpenCombine", group: "push"),
            ],
            mallocs: 0)
    }

    static func fanOut(_ observers: Int) -> Workload {
        let pushes = count / observers
        return Workload(
            name: "fan-out to \(observers), per observer", operations: pushes * observers,
            contenders: [
                .init(name: "floor") {
                    let sum = Sum()
                    let hidden = opaque(Hidden(observe: { sum.add($0) }))
                    for element in 0..<pushes { for _ in 0..<observers { hidden.observe(element) } }
                    return sum.value
                },
                .init(name: "ours") {
                    let (signal, emitter) = Signal<Int>.pipe()
                    let sum = Sum()
                    for _ in 0..<observers { signal.subscribeNext { sum.add($0) } }
                    for element in 0..<pushes { emitter.send(element) }
                    return sum.value
                },
                .init(name: "OpenCombine") {
                    let subject = PassthroughSubject<Int, Never>()
                    let sum = Sum()
                    let tokens = (0..<observers).map { _ in subject.sink { sum.add($0) } }
                    for element in 0..<pushes { subject.send(element) }
                    withExtendedLifetime(tokens) {}
                    return sum.value
                },
            ],
            bars: [.atMost(10, times: "floor"), .atLeast(4, timesFasterThan: "OpenCombine")])
    }

    static var share: Workload {
        Workload(
            name: "share", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") { sum(opaque(Observable.from(0..<count)).share()) },
                .init(name: "OpenCombine") { sum(opaque(numbers(0..<count)).share().eraseToAnyPublisher()) },
            ],
            bars: [.atLeast(20, timesFasterThan: "OpenCombine")], mallocs: 0)
    }

    static var zip: Workload {
        Workload(
            name: "zip of 2 hot streams, per pair", operations: count / 10,
            contenders: pairs(calls: 1, { Observable.zip($0, $1) }) + [
                .init(name: "AsyncAlgorithms") {
                    var sum = 0
                    for await (a, b) in AsyncAlgorithms.zip(asyncNumbers(count / 10), asyncNumbers(count / 10)) {
                        sum &+= a &+ b
                    }
                    return sum
                }
            ],
            bars: [.atMost(50, times: "floor")], mallocs: 0)
    }

    static var combineLatest: Workload {
        Workload(
            name: "combineLatest of 2 hot streams, per pair", operations: count / 10,
            contenders: pairs(calls: 2) { Observable.combineLatest($0, $1) },
            bars: [.atMost(30, times: "floor")], mallocs: 0)
    }

    /// Two streams send in turns; a combined value is received once or twice (`calls`) for each pair.
    private static func pairs(
        calls: Int, _ combine: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<(Int, Int)>
    ) -> [Workload.Contender] {
        let pairs = count / 10
        return [
            .init(name: "floor") {
                let sum = Sum()
                let hidden = opaque(Hidden(observe: { sum.add($0) }))
                for element in 0..<pairs {
                    if calls == 2, element > 0 { hidden.observe(element &+ element &- 1) }
                    hidden.observe(element &+ element)
                }
                return sum.value
            },
            .init(name: "ours") {
                let (a, first) = Signal<Int>.pipe()
                let (b, second) = Signal<Int>.pipe()
                let sum = Sum()
                combine(a.observable, b.observable).subscribeNext { sum.add($0 &+ $1) }
                for element in 0..<pairs {
                    first.send(element)
                    second.send(element)
                }
                return sum.value
            },
        ]
    }
}
