/// One call of `request`: its callbacks, the completion of which is called exactly once.
final class Call: TransportExchange {
    private struct Callbacks: Sendable {
        let progress: (@Sendable (ProgressResponse) -> Void)?
        let completion: @Sendable (Result<Response, MoyaError>) -> Void

        /// Through one delivery, so that progress and completion keep their order on a concurrent queue, too.
        func delivered(by delivery: SerialDelivery<@Sendable () -> Void>) -> Callbacks {
            var later: (@Sendable (ProgressResponse) -> Void)?
            if let progress { later = { value in delivery.post { progress(value) } } }
            return Callbacks(
                progress: later, completion: { [completion] result in delivery.post { completion(result) } })
        }
    }

    private struct State: Sendable {
        /// Nil after the end.
        var callbacks: Callbacks?
        var flight: Flight?
        var isCancelled = false
        /// The last progress that was reported.
        var units: Int64 = 0
        var total: Int64?
        /// Somebody is being told of progress; the end waits for that.
        var isReporting = false
        var postponed: Result<Response, MoyaError>?
    }

    let id = CallID.next()
    /// Takes the answer as it arrives, if somebody does.
    let parts: Parts?
    private let target: any RelativeTarget
    private let plugins: [any PluginType]
    private let state: Guarded<State>

    init(
        _ target: any RelativeTarget, plugins: [any PluginType], callbackQueue: (any Scheduler)?, parts: Parts?,
        progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Result<Response, MoyaError>) -> Void
    ) {
        self.target = target
        self.plugins = plugins
        var callbacks = Callbacks(progress: progress, completion: completion)
        guard let callbackQueue else {
            self.parts = parts
            state = Guarded(State(callbacks: callbacks))
            return
        }
        let delivery = SerialDelivery<@Sendable () -> Void>(on: callbackQueue) { $0() }
        callbacks = callbacks.delivered(by: delivery)
        state = Guarded(State(callbacks: callbacks))
        self.parts = parts.map { parts in
            Parts(window: parts.window, receive: { part in delivery.post { parts.receive(part) } })
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var wantsProgress: Bool { state.withLock { $0.callbacks?.progress != nil } }

    /// Tells what to leave on a cancel, before anything can end.
    func board(_ flight: Flight) {
        state.withLock { $0.flight = flight }
    }

    func cancel() {
        let flight = state.withLock { state -> Flight? in
            guard state.callbacks != nil, !state.isCancelled else { return nil }
            state.isCancelled = true
            return state.flight
        }
        flight?.leave(self)
    }

    func consumed(_ bytes: Int) {
        state.withLock { $0.flight }?.consumed(bytes)
    }

    func report(_ value: ProgressResponse) {
        let progress = state.withLock { state -> (@Sendable (ProgressResponse) -> Void)? in
            guard let progress = state.callbacks?.progress, state.postponed == nil else { return nil }
            state.units = value.completedUnitCount
            state.total = value.totalUnitCount
            state.isReporting = true
            return progress
        }
        guard let progress else { return }
        progress(value)
        let postponed = state.withLock { state in
            state.isReporting = false
            defer { state.postponed = nil }
            return state.postponed
        }
        if let postponed { end(postponed) }
    }

    /// - Parameter units: the bytes that were sent or received in all; nil: as far as progress was told.
    func end(_ result: Result<Response, MoyaError>, units: Int64? = nil) {
        let (callbacks, flight, told) = state.withLock {
            state -> (Callbacks?, Flight?, (units: Int64, total: Int64?)) in
            if let units { state.units = units }
            guard !state.isReporting else {
                if state.postponed == nil { state.postponed = result }
                return (nil, nil, (0, nil))
            }
            defer {
                state.callbacks = nil
                state.flight = nil
            }
            return (state.callbacks, state.flight, (state.units, state.total))
        }
        guard let callbacks else { return }
        let processed = plugins.reduce(result) { $1.process($0, target: target) }
        if let progress = callbacks.progress {
            let response = try? processed.get()
            let total = response == nil ? told.total : told.units
            progress(ProgressResponse(response: response, completed: told.units, total: total))
        }
        callbacks.completion(processed)
        withExtendedLifetime(flight) {}
    }
}
