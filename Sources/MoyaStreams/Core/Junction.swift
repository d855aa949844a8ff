/// Where several inputs of an operator meet: its state, and the observer behind it, reached through one gate.
///
/// Inputs pass from any thread; none waits for another, and the observer is told one thing at a time (R7, R11). After
/// the end or a cancel state and observer are released, and further inputs are nothing.
final class Junction<State: Sendable, Input: Sendable, Output: Sendable>: Sendable {
    /// What becomes of the stream after an input.
    enum Outcome {
        case goesOn
        case ends((any Error)?)
    }

    private enum Note: Sendable {
        case input(Input, Junction)
        case close
    }

    private struct Room: Sendable {
        var state: State
        let observer: Observer<Output>
    }

    private let gate: Gate<Room?, Note>

    /// - Parameter react: changes the state, tells the observer, and says how it goes on; it may use the junction to
    ///   arrange for further inputs.
    init(
        _ state: State, _ downstream: Observer<Output>,
        _ react: @escaping @Sendable (inout State, Input, Observer<Output>, Junction) -> Outcome
    ) {
        gate = Gate(Room(state: state, observer: downstream)) { room, note in
            guard let observer = room?.observer, case .input(let input, let junction) = note else {
                room = nil
                return
            }
            guard !observer.lifetime.isOver, var state = room?.state else { return }
            // Taken out, so that it is changed in place.
            room = nil
            let outcome = react(&state, input, observer, junction)
            switch outcome {
            case .goesOn: room = Room(state: state, observer: observer)
            case .ends(let error): observer.lifetime.end(error)
            }
        }
        downstream.lifetime.onEnd { [weak gate] in gate?.pass(.close) }
    }

    func pass(_ input: Input) {
        gate.pass(.input(input, self))
    }
}

extension Observer {
    /// Tells a value, if anybody still listens.
    func send(_ element: Element) {
        if !lifetime.isOver { next(element) }
    }
}
