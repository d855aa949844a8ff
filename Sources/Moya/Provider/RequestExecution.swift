import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Executes one request for all calls that share it.
///
/// The execution creates and sends the request, and sends it again if an interceptor requests another attempt.
final class RequestExecution: Sendable {
    enum Phase {
        /// Waiting for the request closure, an interceptor or a delay.
        case waiting(SingleAssignmentCancellable?)
        case attempting(Attempt)
        /// The outcome is being delivered, or the last call has left. Cancelling has no effect any more.
        case ending(Departure?)
        case finished
    }

    struct State: Sendable {
        var phase = Phase.waiting(nil)
        /// The request that each attempt starts with, before the interceptors adapt it.
        var request: TransportRequest?
        /// The call that started the request; `nil` after this call was removed.
        var first: Call?
        /// The calls that have joined the request.
        var others: [Call] = []
        /// The number of further attempts that each interceptor has requested, by the index of the interceptor.
        var retries: [Int]

        var calls: [Call] { (first.map { [$0] } ?? []) + others }

        mutating func finish() {
            phase = .finished
            first = nil
            others = []
        }

        var isActive: Bool {
            switch phase {
            case .waiting, .attempting: true
            case .ending, .finished: false
            }
        }
    }

    let id: UInt64
    let target: any RelativeTarget
    let options: RequestOptions
    let endpoint: Endpoint
    let behavior: StubBehavior
    let validation: ValidationType
    /// Whether other calls may join the request.
    let isShared: Bool
    /// Whether the caller's closures run on the thread that handles the response, instead of on a scheduler.
    let runsCallbacksInline: Bool
    /// Receives the parts of a response as they arrive; `nil` if the response is delivered when it is complete.
    let sink: StreamSink?
    let providerContext: ProviderContext
    /// The context of the call that started the request (``ProviderConfiguration/callContext``), if any.
    let callContext: BoxedCallContext?
    /// Retains the provider while the request is in flight.
    private let provider: any AnyObject & Sendable
    let state: Locked<State>

    init(
        of call: Call, for target: any RelativeTarget, _ options: RequestOptions, _ endpoint: Endpoint,
        behavior: StubBehavior, isShared: Bool, runsCallbacksInline: Bool, sink: StreamSink?,
        callContext: BoxedCallContext?, providerContext: ProviderContext, provider: any AnyObject & Sendable
    ) {
        id = call.id
        self.target = target
        self.options = options
        self.endpoint = endpoint
        self.behavior = behavior
        validation = target.validationType
        self.isShared = isShared
        self.runsCallbacksInline = runsCallbacksInline
        self.sink = sink
        self.callContext = callContext
        self.providerContext = providerContext
        self.provider = provider
        let interceptors = providerContext.configuration.interceptors
        state = Locked(State(first: call, retries: Array(repeating: 0, count: interceptors.count)))
        call.attach(to: self)
        providerContext.inFlight.add(self)
    }

    /// Creates the request, then either joins an equal in-flight request or sends the created request.
    func start() {
        guard let requestClosure = providerContext.configuration.requestClosure else {
            do throws(MoyaError) {
                return proceed(with: try endpoint.request())
            } catch {
                return end(.failure(error))
            }
        }
        let first = OneShotFlag()
        requestClosure(endpoint) { [self] result in
            guard first.setIfUnset() else { return }
            do throws(MoyaError) {
                let request = try result.get()
                proceed(
                    with: try MoyaError.wrapping { () throws(TransportError) in
                        try TransportRequest(request, original: endpoint.headers, method: endpoint.method)
                    })
            } catch {
                end(.failure(error))
            }
        }
    }

    private func proceed(with request: TransportRequest) {
        guard !joinEqualRequest(request) else { return }
        guard !interceptors.isEmpty else { return send(request, attempt: 1) }
        state.withLock { $0.request = request }
        adapt(request, attempt: 1)
    }

    func cancelAll() {
        for call in state.withLock({ $0.calls }) { call.cancel() }
    }

    func consumed(_ bytes: Int) {
        let attempt = state.withLock { state -> Attempt? in
            if case .attempting(let attempt) = state.phase { attempt } else { nil }
        }
        attempt?.consumed(bytes)
    }

    func report(_ progress: ProgressResponse) {
        for call in state.withLock({ $0.calls }) { call.report(progress) }
    }

    /// Delivers the result to all calls.
    ///
    /// - Parameter units: the number of bytes for the final progress report; if `nil`, the last reported number.
    func end(_ result: Result<Response, MoyaError>, units: Int64? = nil) {
        let ended = state.withLock { state -> State? in
            if case .finished = state.phase { return nil }
            defer { state.finish() }
            return state
        }
        guard let ended else { return }
        providerContext.inFlight.remove(self)
        ended.first?.end(result, units: units)
        for call in ended.others { call.end(result, units: units) }
    }

    /// Starts an attempt with a request that the interceptors have adapted.
    func send(_ request: TransportRequest, attempt number: Int) {
        let attempt = Attempt(number, of: self, reportsProgress: isShared || firstWantsProgress)
        if transition(to: .attempting(attempt)) { attempt.start(request) }
    }

    private var firstWantsProgress: Bool { state.withLock { $0.first }?.wantsProgress == true }

    /// Sends the request again if an interceptor decides to retry; otherwise ends the request with the outcome.
    func finish(_ outcome: Attempt.Outcome, of attempt: Attempt) {
        guard isSubjectToRetry(outcome), let sent = outcome.sent, transition(to: .waiting(nil)) else {
            return end(outcome)
        }
        let question = AttemptOutcome(
            result: outcome.result, request: sent, attempt: attempt.number, retries: 0, target: target)
        decide(question) { [self] decision in
            switch decision {
            case .doNotRetry: end(outcome)
            case .fail(let error): end(.failure(error))
            case .retry(let delay): startAgain(after: max(delay, .zero), question)
            }
        }
    }

    private func startAgain(after delay: Duration, _ outcome: AttemptOutcome) {
        guard let request = state.withLock({ $0.request }) else { return }
        notify(.retrying(after: delay, outcome.result.failure), attempt: outcome.attempt)
        wait { resume in
            scheduler.schedule(after: delay) { resume(()) }
        } then: { [self] _ in
            adapt(request, attempt: outcome.attempt + 1)
        }
    }

    /// Ends the request with the outcome of the last attempt.
    ///
    /// If no part of the response was delivered to `sink`, the sink first receives the whole response.
    private func end(_ outcome: Attempt.Outcome) {
        if let sink = sink, !outcome.isDelivered, case .success(let response) = outcome.result {
            guard beginsDelivery() else { return }
            sink.deliver(.head(ResponseHead(of: response)))
            if !response.data.isEmpty { sink.deliver(.chunk(response.data)) }
            return end(.success(response.withoutData()), units: outcome.units)
        }
        end(outcome.result, units: outcome.units)
    }

    /// Enters the phase `ending`, in which cancelling has no effect; returns `false` if the request has finished.
    private func beginsDelivery() -> Bool {
        let former = state.withLock { state -> Phase in
            let former = state.phase
            if state.isActive { state.phase = .ending(nil) }
            return former
        }
        if case .finished = former { return false }
        return true
    }

    /// Starts an asynchronous operation, which is cancelled together with the request.
    ///
    /// - Parameters:
    ///   - start: starts the operation and returns a token that cancels the operation. The operation passes its value
    ///     to the closure that `start` receives.
    ///   - proceed: receives the first value of the operation; later values are ignored.
    func wait<Value: Sendable>(
        _ start: (@escaping @Sendable (Value) -> Void) -> any Cancellable,
        then proceed: @escaping @Sendable (Value) -> Void
    ) {
        let token = SingleAssignmentCancellable()
        guard transition(to: .waiting(token)) else { return }
        let first = OneShotFlag()
        token.store(start { value in if first.setIfUnset() { proceed(value) } })
    }

    func countRetry(of interceptor: Int) { state.withLock { $0.retries[interceptor] += 1 } }

    func retries(of interceptor: Int) -> Int { state.withLock { $0.retries[interceptor] } }

    /// Enters the next phase.
    ///
    /// If all calls have left, ends the request with the error of the last departure and returns `false`.
    private func transition(to next: Phase) -> Bool {
        // The former phase may hold the last reference to a `Cancellable` of an interceptor. The `deinit` of that
        // `Cancellable` is user code, which must not run under the lock.
        let (former, isActive) = state.withLock { state in
            defer { if state.isActive { state.phase = next } }
            return (state.phase, state.isActive)
        }
        if !isActive {
            let departure: Departure = if case .ending(let last?) = former { last } else { .cancelled }
            end(.failure(departure.error(target)))
        }
        return isActive
    }
}
