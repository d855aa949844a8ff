// Runs the steps of a state one at a time, in order and outside its lock. A call that finds another one running leaves
// its changes to that call. Steps may call user closures and start more steps; the stack doesn't grow.
package protocol StepQueue: Sendable {
    associatedtype Step: Sendable

    /// Whether a call of `runSteps` is running steps; changed only by that function.
    var isRunningSteps: Bool { get set }

    mutating func nextStep() -> Step?
}

extension Locked where Value: StepQueue {
    package func runSteps(after change: (inout Value) -> Void = { _ in }, _ run: (Value.Step) -> Void) {
        var step = withLock { state -> Value.Step? in
            change(&state)
            guard !state.isRunningSteps, let step = state.nextStep() else { return nil }
            state.isRunningSteps = true
            return step
        }
        while let current = step.take() {
            run(current)
            step = withLock { state in
                let next = state.nextStep()
                state.isRunningSteps = next != nil
                return next
            }
        }
    }
}
