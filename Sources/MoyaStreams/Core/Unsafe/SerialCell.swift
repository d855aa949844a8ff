/// The state of one subscription of an operator, without a lock.
///
/// SAFETY: the compiler cannot see that no two threads use a cell at a time; the stream contract promises it (R7).
/// A cell is used only where its subscription's events are delivered: in `next` of an `Observer`, and in the terminal
/// handler of that observer's lifetime. These events never overlap, and each one *happens before* the next, because
/// what brings events of several threads together orders them with a lock: `DrainLoop`, `SerialDelivery`, the
/// trampoline of `Lifetime`, and the queue of a scheduler, which runs each work once, as `SchedulerContract` checks.
/// `cancel()`, which any thread may call, never touches a cell: the value is released together with the closures of the
/// chain. The thread sanitizer runs random chains of all operators, while four threads send, end and cancel
/// (`ConformanceTests`).
@safe
@usableFromInline
struct SerialCell<Value: Sendable>: @unchecked Sendable {
    // The header of a buffer is read and written without the check for exclusive access that a class's `var` has.
    @usableFromInline let buffer: ManagedBuffer<Value, Void>

    @inlinable
    init(_ value: Value) {
        buffer = ManagedBuffer.create(minimumCapacity: 0) { _ in value }
    }

    @inlinable var value: Value {
        get { unsafe buffer.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }
        nonmutating set { unsafe buffer.withUnsafeMutablePointerToHeader { unsafe $0.pointee = newValue } }
    }

    @inlinable
    func change<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe buffer.withUnsafeMutablePointerToHeader { value throws(Failure) in try unsafe body(&value.pointee) }
    }

    @inlinable
    func exchange(_ value: Value) -> Value { change { Swift.exchange(&$0, with: value) } }
}
