/// One call whose response is made to a value: it is cancelled, mapped and completed, exactly once.
final class ValueCall<Value: Sendable>: Cancellable {
    typealias Completion = @Sendable (Result<Value, MoyaError>) -> Void

    private enum State: Sendable {
        case loading(Completion)
        /// The response has arrived, and is not mapped yet.
        case loaded(Completion)
        case mapping(Completion)
        case finished
    }

    private struct Guard: Sendable {
        var state: State
        var isCancelled = false
    }

    private let state: Locked<Guard>
    private let request = SingleAssignmentCancellable()
    private let map: @Sendable (Result<Response, MoyaError>) throws(MoyaError) -> Value
    private let scheduler: (any Scheduler)?
    private let callbackQueue: (any Scheduler)?

    /// - Parameters:
    ///   - scheduler: where the response of a transport is mapped; if `nil`, where it arrives.
    ///   - callbackQueue: where the completion is called; if `nil`, where the response was mapped.
    init(
        scheduler: (any Scheduler)?, callbackQueue: (any Scheduler)?,
        map: @escaping @Sendable (Result<Response, MoyaError>) throws(MoyaError) -> Value,
        completion: @escaping Completion
    ) {
        self.scheduler = scheduler
        self.callbackQueue = callbackQueue
        self.map = map
        state = Locked(Guard(state: .loading(completion)))
    }

    func start(_ send: (@escaping @Sendable (Result<Response, MoyaError>) -> Void) -> any Cancellable) {
        request.store(send { self.receive($0) })
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let loaded = state.withLock { guarded -> Completion? in
            if case .finished = guarded.state { return nil }
            guarded.isCancelled = true
            guard case .loaded(let completion) = guarded.state else { return nil }
            guarded.state = .finished
            return completion
        }
        if let loaded { deliver(.failure(.cancelled), to: loaded) } else { request.cancel() }
    }

    private func receive(_ result: Result<Response, MoyaError>) {
        state.withLock { guarded in
            if case .loading(let completion) = guarded.state { guarded.state = .loaded(completion) }
        }
        // A response with a head comes from a transport, on whose thread nothing is decoded.
        if let scheduler, result.response?.head != nil {
            scheduler.schedule { self.mapLoaded(result) }
        } else {
            mapLoaded(result)
        }
    }

    private func mapLoaded(_ result: Result<Response, MoyaError>) {
        let (completion, isCancelled) = state.withLock { guarded -> (Completion?, Bool) in
            guard case .loaded(let completion) = guarded.state else { return (nil, false) }
            guarded.state = .mapping(completion)
            return (completion, guarded.isCancelled)
        }
        guard let completion else { return }
        var value = Result<Value, MoyaError>.failure(.cancelled)
        if !isCancelled { value = Result { () throws(MoyaError) in try map(result) } }
        let isLate = state.withLock { guarded in
            guarded.state = .finished
            return guarded.isCancelled
        }
        deliver(isLate ? .failure(.cancelled) : value, to: completion)
    }

    private func deliver(_ result: Result<Value, MoyaError>, to completion: @escaping Completion) {
        if let callbackQueue {
            callbackQueue.schedule { completion(result) }
        } else {
            completion(result)
        }
    }
}

extension Result where Success == Response, Failure == MoyaError {
    fileprivate var response: Response? {
        switch self {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}
