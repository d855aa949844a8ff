// Serializes the input events of an operator with several inputs or timers. Holds its state and the downstream
// observer until the stream ends or is cancelled; later events are ignored. Any thread may submit without blocking.
@usableFromInline
final class Coordinator<State: Sendable, InputEvent: Sendable, Output: Sendable>: Sendable {
    /// Handles an event; ends the stream by the lifetime of the observer.
    @usableFromInline typealias Reducer = @Sendable (inout State, InputEvent, Observer<Output>, Coordinator) -> Void

    @usableFromInline
    struct Live: Sendable {
        @usableFromInline var state: State
        @usableFromInline let observer: Observer<Output>

        @inlinable
        init(_ state: State, _ observer: Observer<Output>) {
            self.state = state
            self.observer = observer
        }

        @inlinable
        @inline(__always)
        mutating func process(_ event: InputEvent, _ coordinator: Coordinator, by reduce: Reducer) {
            if !observer.lifetime.isOver { reduce(&state, event, observer, coordinator) }
        }
    }

    /// An event and its coordinator, which is not retained by its own loop otherwise; `nil` releases the state.
    @usableFromInline typealias Message = (event: InputEvent, coordinator: Coordinator)?

    @usableFromInline let drainLoop: DrainLoop<Live?, Message>
    @usableFromInline let reduce: Reducer

    @inlinable
    init(_ state: State, _ downstream: Observer<Output>, _ reduce: @escaping Reducer) {
        self.reduce = reduce
        drainLoop = DrainLoop(Live(state, downstream)) { live, message in
            guard let (event, coordinator) = message else { return live = nil }
            live?.process(event, coordinator, by: coordinator.reduce)
        }
        downstream.lifetime.onEnd { [drainLoop] in drainLoop.submit(nil) }
    }

    deinit { drainLoop.submit(nil) }

    @inlinable
    func submit(_ event: InputEvent) { submit(event, by: reduce) }

    /// `submit` with the reducer of this coordinator, passed again so that the compiler can inline it.
    @inlinable
    @inline(__always)
    func submit(_ event: InputEvent, by reduce: Reducer) {
        if !drainLoop.tryWithState({ $0?.process(event, self, by: reduce) }) { drainLoop.enqueue((event, self)) }
    }

    func subscribe<Input: Sendable>(
        _ source: Observable<Input>, in parent: Lifetime, next: @escaping @Sendable (Input) -> InputEvent,
        end: @escaping @Sendable ((any Error)?) -> InputEvent
    ) {
        let lifetime = Lifetime(in: parent) { self.submit(end($0)) }
        source.run(Observer(lifetime) { self.submit(next($0)) })
    }
}
