/// A state whose steps run one at a time, in order, and outside the lock that protects it.
///
/// A call that finds another one running leaves what it has changed to that call, on whatever thread, and returns.
/// Steps may run closures of the user, and may start further steps; the stack does not grow.
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
