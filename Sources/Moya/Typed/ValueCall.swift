/// One call whose response is made to a value: it is cancelled, mapped and completed, exactly once.
final class ValueCall<Value: Sendable>: Cancellable {
    typealias Completion = @Sendable (Result<Value, MoyaError>) -> Void

    private enum State: Sendable {
        case loading(Completion)
        /// The value is made of the response; a cancel takes its place.
        case mapping(isCancelled: Bool)
        case finished(isCancelled: Bool)
    }

    private let state: Locked<State>
    private let request = SingleAssignmentCancellable()
    private let map: @Sendable (Result<Response, MoyaError>) throws(MoyaError) -> Value
    private let callbackQueue: (any Scheduler)?

    /// - Parameters:
    ///   - callbackQueue: the scheduler that calls the completion; if `nil`, it is called on the thread of `map`.
    ///   - map: makes the value of the result; called on the thread that delivers the result.
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
        // Does nothing after the response.
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
        // The value of a cancelled call is not made.
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
