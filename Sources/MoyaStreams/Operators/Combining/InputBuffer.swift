// The buffered values of one input; `zip` and `combineLatest` differ only in this buffer. Both send a combination when
// a value arrives and each buffer has one, and complete when all inputs have, or one has and its buffer is empty.
@usableFromInline
protocol InputBuffer: Sendable {
    associatedtype Value: Sendable

    init()

    var isEmpty: Bool { get }

    mutating func append(_ value: Value)

    mutating func popFirst() -> Value?
}

extension Queue: InputBuffer {}

@usableFromInline
struct LatestValue<Value: Sendable>: InputBuffer {
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { value == nil }

    @inlinable
    mutating func append(_ value: Value) {
        self.value = value
    }

    // The value stays, for the next combination.
    @inlinable
    mutating func popFirst() -> Value? {
        value
    }
}
