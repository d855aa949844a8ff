// The buffered values of one input; `zip` and `combineLatest` differ only in this buffer. Both send a combination when
// a value arrives and each buffer has one, and complete when all inputs have, or one has and its buffer is empty.
@usableFromInline
protocol InputBuffer: Sendable {
    associatedtype Value: Sendable

    init()

    var isEmpty: Bool { get }

    mutating func add(_ value: Value)

    mutating func next() -> Value?
}

extension Queue: InputBuffer {
    @inlinable
    mutating func add(_ value: Element) {
        append(value)
    }

    @inlinable
    mutating func next() -> Element? {
        popFirst()
    }
}

@usableFromInline
struct LatestValue<Value: Sendable>: InputBuffer {
    @usableFromInline var value: Value?

    @inlinable
    init() {}

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
