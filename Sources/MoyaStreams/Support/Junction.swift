import Moya

/// Where several inputs of an operator meet: its state, and the observer behind it, reached through one gate.
///
/// Inputs pass from any thread; none waits for another, and the observer is told one thing at a time (R7, R11). After
/// the end or a cancel state and observer are released, and further inputs are nothing; so they are when nobody is left
/// who could pass something in.
@usableFromInline
final class Junction<State: Sendable, Input: Sendable, Output: Sendable>: Sendable {
    /// What becomes of the stream after an input.
    @usableFromInline
    enum Outcome {
        case goesOn
        case ends((any Error)?)
    }

    /// Changes the state, tells the observer, and says how it goes on; it may use the junction to arrange for further
    /// inputs.
    @usableFromInline typealias React = @Sendable (inout State, Input, Observer<Output>, Junction) -> Outcome

    @usableFromInline
    enum Note: Sendable {
        case input(Input, Junction)
        case close
    }

    @usableFromInline
    struct Room: Sendable {
        @usableFromInline var state: State
        @usableFromInline let observer: Observer<Output>

        @inlinable
        init(state: State, observer: Observer<Output>) {
            self.state = state
            self.observer = observer
        }

        @inlinable
        @inline(__always)
        mutating func take(_ input: Input, _ junction: Junction, by react: React) -> Outcome {
            observer.lifetime.isOver ? .goesOn : react(&state, input, observer, junction)
        }
    }

    @usableFromInline let gate: Gate<Room?, Note>
    @usableFromInline let react: React

    @inlinable
    init(_ state: State, _ downstream: Observer<Output>, _ react: @escaping React) {
        self.react = react
        gate = Gate(Room(state: state, observer: downstream)) { room, note in
            switch note {
            case .input(let input, let junction): junction.step(&room, input, by: junction.react)
            case .close: room = nil
            }
        }
        downstream.lifetime.onEnd { [gate] in gate.pass(.close) }
    }

    deinit { gate.pass(.close) }

    @inlinable
    func pass(_ input: Input) {
        pass(input, by: react)
    }

    /// - Parameter react: the junction's own. A function that is known here is inlined: the input is then never put together,
    ///   which would cost as much as a lock.
    @inlinable
    @inline(__always)
    func pass(_ input: Input, by react: React) {
        if !gate.enter({ room in step(&room, input, by: react) }) { gate.leave(.input(input, self)) }
    }

    @inlinable
    @inline(__always)
    func step(_ room: inout Room?, _ input: Input, by react: React) {
        if case .ends(let error) = room?.take(input, self, by: react) {
            let lifetime = room?.observer.lifetime
            room = nil
            lifetime?.end(error)
        }
    }
}
