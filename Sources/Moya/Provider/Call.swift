import Synchronization

/// A queue that runs the callbacks of a call on a scheduler, in order and one at a time.
typealias CallbackDelivery = SerialDelivery<@Sendable () -> Void>

/// One call of a provider's `request` method.
///
/// It calls the progress closure of the caller any number of times, and the completion exactly once.
final class Call: TransportExchange {
    private struct Callbacks: Sendable {
        let progress: (@Sendable (ProgressResponse) -> Void)?
        let completion: @Sendable (Result<Response, MoyaError>) -> Void

        /// Returns callbacks that run on the scheduler of `delivery`, in order even on a concurrent queue.
        func delivered(by delivery: CallbackDelivery) -> Callbacks {
            var posted: (@Sendable (ProgressResponse) -> Void)?
            if let progress { posted = { value in delivery.post { progress(value) } } }
            return Callbacks(
                progress: posted, completion: { [completion] result in delivery.post { completion(result) } })
        }
    }

    private struct State: Sendable {
        /// The callbacks; `nil` after the call has ended.
        var callbacks: Callbacks?
        var completion = CompletionAfterCallback<Result<Response, MoyaError>>()
        /// The execution of the request, which delivers the response to this call.
        var execution: RequestExecution?
        /// Why the call has left its execution; `nil` before.
        var departure: Departure?
        /// The timer of ``Timeouts/total``.
        var totalTimer: (any Cancellable)?
        /// The `completedUnitCount` of the last progress value.
        var units: Int64 = 0
        var total: Int64?
    }

    let id: UInt64
    /// Reports the events of this call to the observers; `nil` without observers.
    let observation: CallObservation?
    private let target: any RelativeTarget
    private let plugins: [any PluginType]
    private let state: Locked<State>

    /// Creates a call.
    ///
    /// - Parameter delivery: runs the callbacks; if `nil`, they run on the thread that produces their values.
    init(
        _ target: any RelativeTarget, _ providerContext: ProviderContext, _ context: BoxedCallContext?,
        delivery: CallbackDelivery?, progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Result<Response, MoyaError>) -> Void
    ) {
        let id = CallIDGenerator.next()
        self.id = id
        observation = providerContext.events.map { CallObservation(of: id, target, context, by: $0) }
        self.target = target
        plugins = providerContext.configuration.plugins
        let callbacks = Callbacks(progress: progress, completion: completion)
        state = Locked(State(callbacks: delivery.map(callbacks.delivered(by:)) ?? callbacks))
        observation?.report(.started)
    }

    var isCancelled: Bool { if case .cancelled = departure { true } else { false } }
    var departure: Departure? { state.withLock { $0.departure } }
    var wantsProgress: Bool { state.withLock { $0.callbacks?.progress != nil } }

    /// Stores the execution of this call, so that `cancel()` can remove the call from the execution.
    func attach(to execution: RequestExecution) {
        // An execution that is stored after the end of the call would never be released.
        state.withLock { if $0.callbacks != nil { $0.execution = execution } }
    }

    /// Starts the timer that ends the call with a timeout error after `total`.
    func watchTotal(_ total: Duration, on scheduler: any Scheduler) {
        let timer = scheduler.schedule(after: total) { [self] in leave(.timedOut(total)) }
        let hasEnded = state.withLock { state in
            if state.callbacks != nil { state.totalTimer = timer }
            return state.callbacks == nil
        }
        if hasEnded { timer.cancel() }
    }

    func cancel() { leave(.cancelled) }

    private func leave(_ departure: Departure) {
        let execution = state.withLock { state -> RequestExecution? in
            guard state.callbacks != nil, state.departure == nil else { return nil }
            state.departure = departure
            return state.execution
        }
        execution?.remove(self, departure)
    }

    func consumed(_ bytes: Int) {
        guard bytes > 0 else { return }
        state.withLock { $0.execution }?.consumed(bytes)
    }

    func report(_ value: ProgressResponse) {
        let progress = state.withLock { state -> (@Sendable (ProgressResponse) -> Void)? in
            guard let progress = state.callbacks?.progress, state.completion.beginCall() else { return nil }
            state.units = value.completedUnitCount
            state.total = value.totalUnitCount
            return progress
        }
        guard let progress else { return }
        progress(value)
        if let deferred = state.withLock({ $0.completion.endCall() }) { deliver(deferred) }
    }

    /// Ends the call with a result, unless it has already ended.
    ///
    /// - Parameter units: the byte count of the final progress value; if `nil`, the count of the previous value.
    func end(_ result: Result<Response, MoyaError>, units: Int64? = nil) {
        let completion = state.withLock { state in
            if let units { state.units = units }
            return state.completion.complete(result)
        }
        if case .deliver = completion { deliver(result) }
    }

    private func deliver(_ result: Result<Response, MoyaError>) {
        let former = state.withLock { state in
            defer {
                state.callbacks = nil
                state.execution = nil
                state.totalTimer = nil
            }
            return state
        }
        former.totalTimer?.cancel()
        guard let callbacks = former.callbacks else { return }
        let processed = plugins.reduce(result) { $1.process($0, target: target) }
        observation?.report(.ended(processed))
        if let progress = callbacks.progress {
            let response = try? processed.get()
            let total = response == nil ? former.total : former.units
            progress(ProgressResponse(response: response, completed: former.units, total: total))
        }
        callbacks.completion(processed)
    }
}

/// Generates the IDs of calls, which are unique in this process.
enum CallIDGenerator {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
