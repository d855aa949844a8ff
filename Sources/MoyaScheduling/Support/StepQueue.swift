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
        let isRunning = withLock { state in
            change(&state)
            return exchange(&state.isRunningSteps, with: true)
        }
        while !isRunning, let step = nextStep() { run(step) }
    }

    private func nextStep() -> Value.Step? {
        withLock { state in
            let step = state.nextStep()
            state.isRunningSteps = step != nil
            return step
        }
    }
}
