extension Subscribable {
    /// Handles each value with a state of its subscription; an error that `receive` throws fails the stream.
    ///
    /// `atEnd` sends the rest when the source has completed; a failure drops it.
    @inlinable
    @inline(__always)
    func stateful<State: Sendable, Output: Sendable>(
        _ initial: State,
        _ receive: @escaping @Sendable (SerialCell<State>, Element, Observer<Output>) throws -> Void,
        atEnd: (@Sendable (State, Observer<Output>) -> Void)? = nil
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let state = SerialCell(initial)
            var lifetime = downstream.lifetime
            if let atEnd {
                lifetime = Lifetime(in: lifetime) { error in
                    let rest = state.exchange(initial)
                    if error == nil { atEnd(rest, downstream) }
                    downstream.lifetime.end(error)
                }
            }
            source.run(
                Observer(lifetime) { [lifetime] element in
                    do { try receive(state, element, downstream) } catch { lifetime.fail(error) }
                })
        })
    }

    /// Sends the values, and continues after the end with the stream that `continuation` returns, if any.
    ///
    /// A stream that ends while it is subscribed is released before the next one starts. The stack does not grow if a
    /// continuation itself has one.
    func continued(
        _ continuation: @escaping @Sendable ((any Error)?) throws -> Observable<Element>?
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                do {
                    guard let next = try continuation(error) else { return downstream.lifetime.end(error) }
                    downstream.lifetime.trampoline { next.run(downstream) }
                } catch { downstream.lifetime.fail(error) }
            }
            downstream.lifetime.trampoline { source.run(Observer(lifetime, next: downstream.next)) }
        })
    }
}
