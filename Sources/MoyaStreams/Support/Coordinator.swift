/// Serialises the inputs of an operator with several inputs or timers.
///
/// It holds the state of the operator and the downstream observer.
///
/// Inputs are submitted from any thread; no thread waits, and the observer receives one event at a time (R7, R11). The
/// state and the observer are released when the stream ends or is cancelled, and when the last reference to the
/// coordinator is released. Later inputs are ignored.
@usableFromInline
final class Coordinator<State: Sendable, Input: Sendable, Output: Sendable>: Sendable {
    /// Whether the stream continues after an input.
    @usableFromInline
    enum ControlFlow {
        case `continue`
        case finish((any Error)?)
    }

    /// Processes one input: changes the state, sends values to the observer, and returns whether the stream continues.
    ///
    /// It may schedule work that submits further inputs to the coordinator.
    @usableFromInline typealias Reducer = @Sendable (inout State, Input, Observer<Output>, Coordinator) -> ControlFlow

    @usableFromInline
    enum Message: Sendable {
        case input(Input, Coordinator)
        case close
    }

    @usableFromInline
    struct ActiveState: Sendable {
        @usableFromInline var state: State
        @usableFromInline let observer: Observer<Output>

        @inlinable
        init(state: State, observer: Observer<Output>) {
            self.state = state
            self.observer = observer
        }

        @inlinable
        @inline(__always)
        mutating func process(_ input: Input, _ coordinator: Coordinator, by reduce: Reducer) -> ControlFlow {
            observer.lifetime.isOver ? .continue : reduce(&state, input, observer, coordinator)
        }
    }

    @usableFromInline let drainLoop: DrainLoop<ActiveState?, Message>
    @usableFromInline let reduce: Reducer

    @inlinable
    init(_ state: State, _ downstream: Observer<Output>, _ reduce: @escaping Reducer) {
        self.reduce = reduce
        drainLoop = DrainLoop(ActiveState(state: state, observer: downstream)) { live, message in
            switch message {
            case .input(let input, let coordinator): coordinator.step(&live, input, by: coordinator.reduce)
            case .close: live = nil
            }
        }
        downstream.lifetime.onEnd { [drainLoop] in drainLoop.submit(.close) }
    }

    deinit { drainLoop.submit(.close) }

    @inlinable
    func submit(_ input: Input) {
        submit(input, by: reduce)
    }

    /// Processes an input now, or queues it.
    ///
    /// - Parameter reduce: the reducer of this coordinator. The compiler inlines a function that it knows at the call
    ///   site. The input is then not stored in memory, which would take as long as acquiring a lock.
    @inlinable
    @inline(__always)
    func submit(_ input: Input, by reduce: Reducer) {
        if !drainLoop.tryWithState({ live in step(&live, input, by: reduce) }) {
            drainLoop.enqueue(.input(input, self))
        }
    }

    @inlinable
    @inline(__always)
    func step(_ live: inout ActiveState?, _ input: Input, by reduce: Reducer) {
        if case .finish(let error) = live?.process(input, self, by: reduce) {
            let lifetime = live?.observer.lifetime
            live = nil
            lifetime?.end(error)
        }
    }
}
