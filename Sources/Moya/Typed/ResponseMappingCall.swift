// Maps a response to a value. Completes exactly once, even if it is cancelled while `map` runs.
final class ResponseMappingCall<Value: Sendable>: Cancellable {
    typealias Completion = @Sendable (Result<Value, MoyaError>) -> Void

    private enum State: Sendable {
        case loading(Completion)
        /// `map` is running; if the call is cancelled, the value that `map` returns is discarded.
        case mapping(isCancelled: Bool)
        case finished(isCancelled: Bool)
    }

    private let state: Locked<State>
    private let request = SingleAssignmentCancellable()
    private let map: @Sendable (Result<Response, MoyaError>) throws(MoyaError) -> Value
    private let callbackQueue: (any Scheduler)?

    /// If `callbackQueue` is `nil`, the completion runs on the thread that delivers the result; `map` always does.
    init(
        callbackQueue: (any Scheduler)?,
        map: @escaping @Sendable (Result<Response, MoyaError>) throws(MoyaError) -> Value,
        completion: @escaping Completion
    ) {
        self.callbackQueue = callbackQueue
        self.map = map
        state = Locked(.loading(completion))
    }

    func start(_ send: (@escaping @Sendable (Result<Response, MoyaError>) -> Void) -> any Cancellable) {
        request.store(send { self.receive($0) })
    }

    var isCancelled: Bool {
        switch state.withLock({ $0 }) {
        case .loading: request.isCancelled
        case .mapping(let isCancelled), .finished(let isCancelled): isCancelled
        }
    }

    func cancel() {
        state.withLock { state in
            if case .mapping = state { state = .mapping(isCancelled: true) }
        }
        // Cancelling `request` has no effect if the response has arrived.
        request.cancel()
    }

    private func receive(_ result: Result<Response, MoyaError>) {
        let isCancelled = request.isCancelled
        let completion = state.withLock { state -> Completion? in
            guard case .loading(let completion) = state else { return nil }
            state = .mapping(isCancelled: isCancelled)
            return completion
        }
        guard let completion else { return }
        let value =
            isCancelled ? .failure(.cancelled) : Result { () throws(MoyaError) in try map(result) }
        let isLate = state.withLock { state in
            guard case .mapping(let isCancelled) = state else { return false }
            state = .finished(isCancelled: isCancelled)
            return isCancelled
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
