import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call of `request`: from the target to the completion, which is called exactly once.
final class Call<Target: RelativeTarget>: Cancellable {
    private struct Callbacks: Sendable {
        let progress: MoyaProvider<Target>.ProgressBlock?
        let completion: MoyaProvider<Target>.Completion

        /// Through one mailbox, so that progress and completion keep their order on a concurrent queue, too.
        func delivered(on scheduler: any Scheduler) -> Callbacks {
            let mailbox = Mailbox<@Sendable () -> Void>(on: scheduler) { $0() }
            var later: MoyaProvider<Target>.ProgressBlock?
            if let progress { later = { value in mailbox.post { progress(value) } } }
            return Callbacks(
                progress: later, completion: { [completion] result in mailbox.post { completion(result) } })
        }
    }

    private struct State: Sendable {
        /// Nil after the end.
        var callbacks: Callbacks?
        var attempt: Attempt?
        var hasRequest = false
        var isCancelled = false
    }

    private let provider: MoyaProvider<Target>
    private let target: Target
    private let state: Guarded<State>
    private let id = CallID.next()

    init(
        _ provider: MoyaProvider<Target>, _ target: Target, callbackQueue: (any Scheduler)?,
        progress: MoyaProvider<Target>.ProgressBlock?, completion: @escaping MoyaProvider<Target>.Completion
    ) {
        self.provider = provider
        self.target = target
        var callbacks = Callbacks(progress: progress, completion: completion)
        if let callbackQueue {
            callbacks = callbacks.delivered(on: callbackQueue)
        }
        state = Guarded(State(callbacks: callbacks))
    }

    func start() {
        let endpoint = provider.endpoint(target)
        let behavior = provider.stubClosure(target)
        provider.requestClosure(endpoint) { [self] request in
            let isFirst = state.withLock { state in
                defer { state.hasRequest = true }
                return !state.hasRequest && !state.isCancelled
            }
            guard isFirst else { return }
            switch request {
            case .success(let request): send(request, endpoint, behavior)
            case .failure(let error): end(.failure(error))
            }
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let attempt = state.withLock { state -> Attempt?? in
            guard state.callbacks != nil, !state.isCancelled else { return nil }
            state.isCancelled = true
            return .some(state.attempt)
        }
        guard let attempt else { return }
        if let attempt { attempt.cancel() } else { end(.failure(.cancelled)) }
    }

    private func send(_ request: URLRequest, _ endpoint: Endpoint, _ behavior: StubBehavior) {
        let progress = state.withLock { $0.callbacks?.progress }
        let attempt = Attempt(
            id: id, target: target.unwrapped, plugins: provider.plugins, timeouts: provider.timeouts,
            scheduler: provider.scheduler,
            source: behavior == .never
                ? .transport(provider.transport) : .stub(behavior, endpoint.sampleResponseClosure),
            progress: progress
        ) { [self] result in end(result) }
        let isTooLate = state.withLock { state in
            if !state.isCancelled { state.attempt = attempt }
            return state.isCancelled
        }
        if !isTooLate { attempt.start(request) }
    }

    private func end(_ result: Result<Response, MoyaError>) {
        let (callbacks, attempt) = state.withLock { state in
            defer {
                state.callbacks = nil
                state.attempt = nil
            }
            return (state.callbacks, state.attempt)
        }
        guard let callbacks else { return }
        let target = target.unwrapped
        let processed = provider.plugins.reduce(result) { $1.process($0, target: target) }
        if let progress = callbacks.progress {
            let response = try? processed.get()
            let received = Int64(response?.data.count ?? 0)
            progress(ProgressResponse(response: response, completed: received, total: response.map { _ in received }))
        }
        callbacks.completion(processed)
        withExtendedLifetime(attempt) {}
    }
}
