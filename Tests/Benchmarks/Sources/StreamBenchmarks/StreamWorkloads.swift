import Measuring
import MoyaStreams
import OpenCombine
import Synchronization

/// The workloads of streams; the floor of each calls the same closures in a plain loop.
///
/// The closures are passed through `opaque`, so that the compiler cannot inline them.
enum StreamWorkloads {
    static let count = 1_000_000

    static var all: [Workload] {
        [chain, capturingChain, maps, visibleChain, scan, observeOn, producerFirst, twoThreads]
            + [flatMapJust, flatMapSequence, concat, merge, zip, combineLatest]
            + [push, capturingPush] + [10, 100, 1000].map(fanOut) + [share, subscribeAndCancel]
    }

    @inline(never)
    @_optimize(none)
    static func opaque<Value>(_ value: Value) -> Value { value }

    /// Closures that the compiler cannot inline; in a struct, because `opaque` would wrap a bare closure in another
    /// one.
    struct Hidden: Sendable {
        var map: @Sendable (Int) -> Int = { $0 }
        var filter: @Sendable (Int) -> Bool = { _ in true }
        var last: @Sendable (Int) -> Int = { $0 }
        var accumulate: @Sendable (Int, Int) -> Int = { $1 }
        var observe: @Sendable (Int) -> Void
    }

    /// Returns the floor of a stream: a loop that calls each of its closures, including that of the observer.
    static func floor(
        _ loop: @escaping @Sendable (Hidden) -> Void, _ change: @escaping @Sendable (inout Hidden) -> Void = { _ in }
    ) -> Workload.Contender {
        .init(name: "floor") {
            let sum = Sum()
            var hidden = Hidden(observe: { sum.add($0) })
            change(&hidden)
            loop(opaque(hidden))
            return sum.value
        }
    }

    @inline(never)
    static func mapFilterMap(_ hidden: Hidden) {
        for element in 0..<count {
            let mapped = hidden.map(element)
            if hidden.filter(mapped) { hidden.observe(hidden.last(mapped)) }
        }
    }

    @inline(never)
    static func mapFilter(_ hidden: Hidden) {
        for element in 0..<count {
            let mapped = hidden.map(element)
            if hidden.filter(mapped) { hidden.observe(mapped) }
        }
    }

    @inline(never)
    static func mapATenth(_ hidden: Hidden) {
        for element in 0..<count / 10 { hidden.observe(hidden.map(element)) }
    }

    @inline(never)
    static func accumulate(_ hidden: Hidden) {
        var result = 0
        for element in 0..<count {
            result = hidden.accumulate(result, element)
            hidden.observe(result)
        }
    }

    @inline(never)
    static func observe(_ hidden: Hidden) {
        for element in 0..<count { hidden.observe(element) }
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

    static func numbers(_ range: Range<Int>) -> Publishers.Sequence<Range<Int>, Never> { .init(sequence: range) }

    static func asyncNumbers(_ count: Int) -> AsyncStream<Int> {
        AsyncStream { continuation in
            for element in 0..<count { continuation.yield(element) }
            continuation.finish()
        }
    }
}

/// A sum that a sendable closure can add to; used by one thread at a time.
final class Sum: Sendable {
    private let sum = Atomic<Int>(0)

    var value: Int { sum.load(ordering: .relaxed) }

    @inline(__always)
    func add(_ element: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ element, ordering: .relaxed)
    }
}
