import MoyaStreams
import OpenCombine
import Synchronization

/// The floor is the same closures, called in a plain loop; they reach it through `opaque`, so that the compiler cannot
/// see what it calls.
enum StreamWorkloads {
    static let count = 1_000_000

    static var all: [Workload] {
        [chain, capturingChain, maps, visibleChain, push] + [10, 100, 1000].map(fanOut)
            + [flatMapJust, flatMapSequence, concat, merge, scan, zip, combineLatest, share]
            + [observeOn, producerFirst, twoThreads, subscribeAndCancel]
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
    static func loop(_ hidden: Hidden, count: Int = count) -> Int {
        var sum = 0
        for element in 0..<count {
            let first = hidden.first(element)
            if hidden.second(first) { sum &+= hidden.third(first) }
        }
        return sum
    }

    /// One hidden call for each element.
    @inline(never)
    static func loop(_ body: @Sendable (Int) -> Void, count: Int = count) {
        for element in 0..<count { body(element) }
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

    /// One hidden call that adds each number to a sum.
    static var additions: Workload.Contender {
        .init(name: "floor") {
            let sum = Sum()
            let add: @Sendable (Int) -> Void = { sum.add($0) }
            loop(opaque(add))
            return sum.value
        }
    }

    static func numbers(_ range: Range<Int>) -> Publishers.Sequence<Range<Int>, Never> { .init(sequence: range) }

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
    func set(_ value: Int) {
        sum.store(value, ordering: .relaxed)
    }

    @inline(__always)
    func add(_ element: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ element, ordering: .relaxed)
    }
}
