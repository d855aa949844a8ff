public import Moya

/// What an input has to give to the rows of values, one of each input, that `zip` and `combineLatest` send: the two differ
/// in nothing else.
///
/// A row goes on when a value comes and each input has something to give. It all ends when an input that is over has
/// nothing, or when all are over.
@usableFromInline
protocol InputBuffer: Sendable {
    associatedtype Value: Sendable

    /// Whether what it gives is given again, until another value comes.
    static var lasts: Bool { get }

    init()

    var isEmpty: Bool { get }

    mutating func add(_ value: Value)

    /// What goes into the next row.
    mutating func next() -> Value?
}

extension Queue: InputBuffer {
    @inlinable static var lasts: Bool { false }

    @inlinable
    init() {
        self.init([])
    }

    @inlinable
    mutating func add(_ value: Element) {
        append(value)
    }

    @inlinable
    mutating func next() -> Element? {
        popFirst()
    }
}

/// One value: the latest.
@usableFromInline
struct LatestValue<Value: Sendable>: InputBuffer {
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable static var lasts: Bool { true }

    @inlinable var isEmpty: Bool { value == nil }

    @inlinable
    mutating func add(_ value: Value) {
        self.value = value
    }

    @inlinable
    mutating func next() -> Value? {
        value
    }
}
