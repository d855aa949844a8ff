/// Serialises the input events of an operator with several inputs or timers.
///
/// A coordinator holds the state of the operator and the downstream observer. An `InputEvent` is a value of an input,
/// the end of an input, or a timer that has fired. Any thread may submit an input event without blocking. The observer
/// receives one event at a time. When the stream ends or is cancelled, the state and the observer are released, and
/// later input events are ignored.
@usableFromInline
final class Coordinator<State: Sendable, InputEvent: Sendable, Output: Sendable>: Sendable {
    /// Whether the stream continues after an input event.
    @usableFromInline
    enum ControlFlow {
        case `continue`
        case finish((any Error)?)
    }

    /// A function that changes the state for one input event and sends values to the observer.
    ///
    /// Returns whether the stream continues. May schedule work that submits further input events to the coordinator.
    @usableFromInline typealias Reducer =
        @Sendable (inout State, InputEvent, Observer<Output>, Coordinator) -> ControlFlow

    @usableFromInline
    enum Message: Sendable {
        case input(InputEvent, Coordinator)
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
        mutating func process(_ event: InputEvent, _ coordinator: Coordinator, by reduce: Reducer) -> ControlFlow {
            observer.lifetime.isOver ? .continue : reduce(&state, event, observer, coordinator)
        }
    }

    @usableFromInline let drainLoop: DrainLoop<ActiveState?, Message>
    @usableFromInline let reduce: Reducer

    @inlinable
    init(_ state: State, _ downstream: Observer<Output>, _ reduce: @escaping Reducer) {
        self.reduce = reduce
        drainLoop = DrainLoop(ActiveState(state: state, observer: downstream)) { live, message in
            switch message {
            case .input(let event, let coordinator): coordinator.step(&live, event, by: coordinator.reduce)
            case .close: live = nil
            }
        }
        downstream.lifetime.onEnd { [drainLoop] in drainLoop.submit(.close) }
    }

    deinit { drainLoop.submit(.close) }

    @inlinable
    func submit(_ event: InputEvent) {
        submit(event, by: reduce)
    }

    /// Processes an input event now, or queues it if another event is being processed.
    ///
    /// - Parameter reduce: the reducer of this coordinator, passed again so that the compiler can inline it.
    @inlinable
    @inline(__always)
    func submit(_ event: InputEvent, by reduce: Reducer) {
        if !drainLoop.tryWithState({ live in step(&live, event, by: reduce) }) {
            drainLoop.enqueue(.input(event, self))
        }
    }

    @inlinable
    @inline(__always)
    func step(_ live: inout ActiveState?, _ event: InputEvent, by reduce: Reducer) {
        if case .finish(let error) = live?.process(event, self, by: reduce) {
            let lifetime = live?.observer.lifetime
            live = nil
            lifetime?.end(error)
        }
    }
}
