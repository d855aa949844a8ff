import Foundation
import Synchronization

typealias CallbackDelivery = SerialDelivery<@Sendable () -> Void>

// A request from the endpoint to its result, for all calls that share it, and the token of the first of them.
// ``RequestState`` decides, under the operation's one lock; the operation then calls plugins, interceptors, the
// transport and callbacks, and reports back.
final class RequestOperation: TransportExchange {
    private static let lastID = Atomic<UInt64>(0)

    /// The ID of the call that has started the request.
    let id: UInt64
    let target: any RelativeTarget
    let options: RequestOptions
    let endpoint: Endpoint
    let behavior: StubBehavior
    let validation: ValidationType
    let isShared: Bool
    /// Whether the caller's closures run on the thread that handles the response, instead of on a scheduler.
    let runsCallbacksInline: Bool
    /// How the parts of a response are delivered as they arrive; `nil` if it is delivered when it is complete.
    let stream: StreamOptions?
    let context: ProviderContext
    let callContext: Boxed<any Sendable>?
    let state: Locked<RequestState>
    /// The scheduler's time, in nanoseconds, at which data was last sent, received or acknowledged.
    let lastActivity = Atomic<Int64>(0)
    private let wasCancelled = Atomic<Bool>(false)
    /// Whether ``cancel()`` was called, even if the result was already on its way.
    private let wasSilenced = Atomic<Bool>(false)

    /// - Parameter delivery: runs the callbacks; if `nil`, they run on the thread that produces their values.
    init(
        for target: any RelativeTarget, _ endpoint: consuming Endpoint, _ behavior: StubBehavior, isShared: Bool,
        runsCallbacksInline: Bool, stream: StreamOptions?, delivery: CallbackDelivery?,
        receive: CallRecord.Receive?, progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Result<Response, MoyaError>) -> Void, _ context: ProviderContext,
        provider: any AnyObject & Sendable
    ) {
        let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        self.id = id
        self.target = target
        options = target.options
        self.endpoint = endpoint
        self.behavior = behavior
        validation = target.validationType
        self.isShared = isShared
        self.runsCallbacksInline = runsCallbacksInline
        self.stream = stream
        self.context = context
        callContext = context.configuration.callContext(target).map(Boxed.init)
        var call = CallRecord(
            id: id, target: target,
            observation: context.events.map { [callContext] in CallObservation(of: id, target, callContext, by: $0) },
            receive: receive, progress: progress, lastProgress: progress, completion: completion, provider: provider)
        if let total = (options.timeouts ?? context.configuration.timeouts).total {
            call.total = (total, (context.scheduler.now + total.clamped).nanoseconds)
        }
        let (observation, hasLimit) = (call.observation, call.total != nil)
        state = Locked(RequestState(consume call))
        if let delivery {
            state.withLock { _ = $0.calls.update(id) { $0.deliver(by: delivery, of: self) } }
        }
        observation?.report(CallStep.started)
        context.inFlight.add(self)
        if hasLimit { watchDeadlines() }
    }

    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    var isSilent: Bool { wasSilenced.load(ordering: .relaxed) }

    func cancel() {
        wasSilenced.store(true, ordering: .relaxed)
        leave(id, .cancelled)
    }

    func cancelAll() {
        // The operation's own call may be on its way to another operation.
        cancel()
        for id in state.withLock({ $0.calls.ids }) { leave(id, .cancelled) }
    }

    func start() {
        guard let requestClosure = context.configuration.requestClosure else {
            return proceed { () throws(MoyaError) in try endpoint.request() }
        }
        let first = OneShotFlag()
        requestClosure(endpoint) { [self] result in
            guard first.setIfUnset() else { return }
            proceed { () throws(MoyaError) in
                let request = try result.get()
                return try MoyaError.wrapping { () throws(TransportError) in
                    try TransportRequest(request, original: endpoint.headers, method: endpoint.method)
                }
            }
        }
    }

    private func proceed(with makeRequest: () throws(MoyaError) -> TransportRequest) {
        var request: TransportRequest
        do throws(MoyaError) { request = try makeRequest() } catch { return end(.failure(error)) }
        request.context = callContext
        guard !isShared || !joinEqualRequest(request) else { return }
        guard !interceptors.isEmpty else { return send(request, attempt: 1) }
        state.withLock { $0.store(request) }
        adapt(request, attempt: 1)
    }

    /// Ends a call before its request has ended; cancels the request if the call is its last one.
    func leave(_ id: UInt64, _ reason: Departure) {
        var leftovers = Leftovers()
        // The token of a call that has joined this request belongs to another operation.
        let (owner, leaving) = state.withLock { state in
            (state.calls.update(id) { $0.owner }, state.leave(id, reason, &leftovers))
        }
        guard let leaving else { return }
        if case .forward(let other) = leaving { return other.leave(id, reason) }
        if case .cancelled = reason { (owner ?? self).wasCancelled.store(true, ordering: .relaxed) }
        switch leaving {
        case .forward, .noted: break
        case .endCall(let isLast):
            if isLast { context.inFlight.remove(self) }
            if case .waiting(let token) = leftovers.phase.take() { token?.cancel() }
            let result = result(of: reason)
            if isLast { state.withLock { leftovers.takeAll(of: &$0) } }
            if let call = state.withLock({ $0.calls.end(id, result) }) { deliver(result, to: call) }
            if context.deadlines == nil { watchDeadlines() }
        case .endAttempt(let number): endAttempt(number, reason)
        }
    }

    /// The result of a call that leaves; after a timeout, the error has the response received last, or a part of it.
    private func result(of reason: Departure) -> Result<Response, MoyaError> {
        guard case .timedOut(let total) = reason else { return .failure(.cancelled) }
        let error = URLError(timeoutOf: target, Departure.reason(total))
        let (partial, sent) = state.withLock { state in
            (state.attempt.partialResult(TransportOutcome(error: error)), state.attempt.sent ?? state.request)
        }
        return partial ?? .failure(.underlying(sent.map(error.naming) ?? error, nil))
    }

    /// - Parameter units: the number of bytes for the final progress report; `nil` repeats the last one.
    func end(_ result: Result<Response, MoyaError>, units: Int64? = nil) {
        var leftovers = Leftovers()
        guard var calls = state.withLock({ $0.end(result, units: units, &leftovers) }) else { return }
        context.inFlight.remove(self)
        if context.deadlines == nil { watchDeadlines() }
        if let call = calls.first.take() { deliver(result, to: call) }
        for call in calls.others { deliver(result, to: call) }
    }

    func endAbandoned() {
        end(result(of: state.withLock { $0.departure } ?? .cancelled))
    }

    func report(_ value: ProgressResponse) {
        for id in state.withLock({ $0.calls.ids }) {
            guard let progress = state.withLock({ $0.calls.beginProgress(id, value) }) else { continue }
            progress(value)
            if let (call, result) = state.withLock({ $0.calls.endProgress(id) }) { deliver(result, to: call) }
        }
    }

    private func deliver(_ result: Result<Response, MoyaError>, to call: CallRecord) {
        var processed = plugins.reduce(result) { $1.process($0, target: call.target) }
        if let receive = call.receive, case .success(let response) = processed {
            // What a plugin puts in the place of a failure is received, unless a part of the response was.
            if case .failure = result, !call.hasReceived, call.departure == nil {
                receive(.head(ResponseHead(of: response)), nil)
                if !isSilent, !response.data.isEmpty { receive(.chunk(response.data), nil) }
            }
            processed = .success(response.withoutData())
        }
        call.observation?.report(.ended(processed))
        if let progress = call.lastProgress {
            let response = try? processed.get()
            let total = response == nil ? call.totalUnits : call.completedUnits
            progress(
                ProgressResponse(
                    response: response, completedUnitCount: call.completedUnits, totalUnitCount: total))
        }
        call.completion(processed)
    }
}

extension RequestOperation {
    var plugins: [any PluginType] { context.configuration.plugins }
    var interceptors: [any RequestInterceptor] { context.configuration.interceptors }
    var scheduler: any Scheduler { context.scheduler }
    var isStubbed: Bool { behavior != .never }

    var maximumResponseSize: Int? { options.maximumResponseSize ?? context.configuration.maximumResponseSize }

    // The unacknowledged bytes at which a stream's transport stops reading; `nil`: no limit. If the caller sets no
    // window, the provider acknowledges what the receiver has returned from; what waits counts as content in memory.
    var streamWindow: Int? {
        guard let stream else { return nil }
        return stream.window.map { max($0, 1) } ?? maximumResponseSize.map { max($0, StreamOptions.defaultWindow) }
    }

    // Whether a transport's events are handled on a background queue, because closures of the caller, plugins,
    // interceptors and file I/O would delay other requests on its thread. Also for a shared request, which later calls
    // with closures may join. The events of the virtual clock stay on their thread (`VirtualOrRealScheduler`).
    var deliversInBackground: Bool {
        runsCallbacksInline || isShared || endpoint.task.download != nil || !plugins.isEmpty || !interceptors.isEmpty
    }

    /// If several calls share the request, a step is reported once, for the oldest call.
    func notify(_ step: @autoclosure () -> CallStep, attempt: Int) {
        guard context.events != nil else { return }
        state.withLock { $0.calls.observation }?.report(step(), attempt: attempt)
    }
}

extension Result where Failure == MoyaError {
    package var failure: MoyaError? { if case .failure(let error) = self { error } else { nil } }
}
