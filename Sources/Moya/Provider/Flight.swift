import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a provider does for one request, and for all calls that take part in it: the request is made, and sent as often as the
/// interceptors want.
final class Flight: Sendable {
    /// What it is about: a class, because all attempts have it in common.
    final class Plan: Sendable {
        let target: any RelativeTarget
        let endpoint: Endpoint
        let behavior: StubBehavior
        /// What status codes are accepted.
        let validation: ValidationType
        /// Calls that come later may take part, and want to know of progress.
        let isShared: Bool
        /// The caller's code runs elsewhere: its completion may be called on the engine's thread.
        let isHandedOver: Bool
        /// Takes the answer as it arrives, if somebody does.
        let parts: Parts?
        /// How much of an answer is kept in memory at most, in bytes.
        var maximumResponseSize: Int? { target.options.maximumResponseSize ?? equipment.maximumResponseSize }
        /// It holds the provider, which lives as long as one of its requests does.
        let requestClosure: @Sendable (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void
        let equipment: Equipment

        init(
            target: any RelativeTarget, endpoint: Endpoint, behavior: StubBehavior, isShared: Bool, isHandedOver: Bool,
            parts: Parts?, equipment: Equipment,
            requestClosure:
                @escaping @Sendable (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void
        ) {
            self.target = target
            self.endpoint = endpoint
            self.behavior = behavior
            validation = target.validationType
            self.isShared = isShared
            self.isHandedOver = isHandedOver
            self.parts = parts
            self.equipment = equipment
            self.requestClosure = requestClosure
        }
    }

    private struct State: Sendable {
        var calls: [Call] = []
        var attempt: Attempt?
        /// What is waited for until the next attempt: time, or an interceptor's task.
        var pause: (any Cancellable)?
        var isOver = false
        /// How many attempts each interceptor has asked for.
        var retries: [Int]
        /// The last call has left.
        var isCancelled = false
    }

    private let id: UInt64
    private let plan: Plan
    /// Where it is known to be in flight.
    private let registry: Flights
    private let state: Guarded<State>

    init(_ plan: Plan, for call: Call, known registry: Flights) {
        id = call.id
        self.plan = plan
        self.registry = registry
        state = Guarded(
            State(calls: [call], retries: Array(repeating: 0, count: plan.equipment.interceptors.count)))
        call.board(self)
        registry.add(self)
    }

    func start() {
        let first = OneShotFlag()
        plan.requestClosure(plan.endpoint) { [self] result in
            guard first.setIfUnset() else { return }
            switch result {
            case .success(let request): if !joinOther(request) { adapt(request, attempt: 1) }
            case .failure(let error): end(.failure(error))
            }
        }
    }

    /// Hands the call over to an equal request that is in flight; false if there is none.
    ///
    /// It happens before the first attempt, with the request that the request closure made: until then there is one call.
    private func joinOther(_ request: URLRequest) -> Bool {
        guard plan.isShared, !isCancelled, let key = Flights.Key(request, plan) else { return false }
        while let other = registry.other(for: key, than: self) {
            guard let call = state.withLock({ $0.calls.first }) else { return true }
            switch other.join(call) {
            case .joined:
                state.withLock { state in
                    state.isOver = true
                    state.calls = []
                }
                registry.remove(self)
                // A cancel that came before the call knew the other flight has not reached it.
                if call.isCancelled { other.leave(call) }
                return true
            case .isOver: registry.remove(other)
            }
        }
        return false
    }

    private enum Joining {
        case joined
        case isOver
    }

    private func join(_ call: Call) -> Joining {
        state.withLock { state in
            guard !state.isOver, !state.isCancelled else { return .isOver }
            call.board(self)
            state.calls.append(call)
            return .joined
        }
    }

    /// A call is cancelled; the last one takes the exchange with it.
    func leave(_ call: Call) {
        enum Departure {
            case alone
            case last(Attempt?, (any Cancellable)?)
        }
        let departure = state.withLock { state -> Departure in
            guard state.calls.count == 1, state.calls[0] === call else {
                state.calls.removeAll { $0 === call }
                return .alone
            }
            state.isCancelled = true
            return .last(state.attempt, state.pause)
        }
        switch departure {
        case .alone: call.end(.failure(.cancelled))
        case .last(let attempt?, _): attempt.cancel()
        case .last(nil, let pause):
            pause?.cancel()
            end(.failure(.cancelled))
        }
    }

    func consumed(_ bytes: Int) {
        state.withLock { $0.attempt }?.consumed(bytes)
    }

    func cancelAll() {
        for call in state.withLock({ $0.calls }) { call.cancel() }
    }

    private func end(_ ended: Attempt.Ended) {
        if let parts = plan.parts, !ended.isDelivered, case .success(let response) = ended.result {
            parts.receive(.head(ResponseHead(of: response)))
            if !response.data.isEmpty { parts.receive(.chunk(response.data)) }
        }
        end(ended.result, units: ended.units)
    }

    private func end(_ result: Result<Response, MoyaError>, units: Int64? = nil) {
        let calls = state.withLock { state -> [Call]? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer {
                state.calls = []
                state.attempt = nil
                state.pause = nil
            }
            return state.calls
        }
        guard let calls else { return }
        registry.remove(self)
        for call in calls { call.end(result, units: units) }
    }
}

// MARK: Attempts

extension Flight {
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// All interceptors in their order, then the sending.
    private func adapt(_ request: URLRequest, attempt number: Int) {
        adapt(request, by: plan.equipment.interceptors[...]) { [self] adapted in send(adapted, request, number) }
    }

    private func adapt(
        _ request: URLRequest, by interceptors: ArraySlice<any RequestInterceptor>,
        _ done: @escaping @Sendable (URLRequest) -> Void
    ) {
        guard let interceptor = interceptors.first else { return done(request) }
        let first = OneShotFlag()
        let goOn: @Sendable (Result<URLRequest, MoyaError>) -> Void = { [self] result in
            guard first.setIfUnset() else { return }
            switch result {
            case .success(let request): adapt(request, by: interceptors.dropFirst(), done)
            case .failure(let error): end(.failure(error))
            }
        }
        if let interceptor = interceptor as? AsyncInterceptor {
            wait(for: interceptor.adapting(request, for: plan.target, goOn), until: first)
        } else {
            interceptor.adapt(request, for: plan.target, goOn)
        }
    }

    private func send(_ request: URLRequest, _ original: URLRequest, _ number: Int) {
        let calls = state.withLock { $0.calls }
        var progress: (@Sendable (ProgressResponse) -> Void)?
        if plan.isShared || calls.contains(where: \.wantsProgress) { progress = { [self] value in report(value) } }
        let attempt = Attempt(id: id, number: number, plan: plan, progress: progress) { [self] ended in
            decide(ended, original)
        }
        let isTooLate = state.withLock { state in
            guard !state.isCancelled, !state.isOver else { return true }
            state.attempt = attempt
            return false
        }
        if isTooLate { end(.failure(.cancelled)) } else { attempt.start(request) }
    }

    private func report(_ progress: ProgressResponse) {
        for call in state.withLock({ $0.calls }) { call.report(progress) }
    }

    private func decide(_ ended: Attempt.Ended, _ original: URLRequest) {
        guard let sent = ended.sent, ended.isWorthRetrying, !isCancelled else {
            return end(ended)
        }
        let outcome = AttemptOutcome(
            result: ended.result, request: sent.request, attempt: sent.attempt, retries: 0, target: plan.target)
        state.withLock { $0.attempt = nil }
        if isCancelled { return end(.failure(.cancelled)) }
        ask(plan.equipment.interceptors[...], outcome) { [self] decision in
            switch decision {
            case .doNotRetry: end(ended)
            case .fail(let error): end(.failure(error))
            case .retry(let delay): pause(delay) { [self] in adapt(original, attempt: outcome.attempt + 1) }
            }
        }
    }

    /// Asks one after the other, up to the first that wants something.
    private func ask(
        _ interceptors: ArraySlice<any RequestInterceptor>, _ outcome: AttemptOutcome,
        _ done: @escaping @Sendable (RetryDecision) -> Void
    ) {
        guard let interceptor = interceptors.first else { return done(.doNotRetry) }
        let index = interceptors.startIndex
        var own = outcome
        own.retries = state.withLock { $0.retries[index] }
        let outcome = own
        let first = OneShotFlag()
        let goOn: @Sendable (RetryDecision) -> Void = { [self] decision in
            guard first.setIfUnset() else { return }
            if case .doNotRetry = decision { return ask(interceptors.dropFirst(), outcome, done) }
            if case .retry = decision { state.withLock { $0.retries[index] += 1 } }
            done(decision)
        }
        if let interceptor = interceptor as? AsyncInterceptor {
            wait(for: interceptor.retrying(outcome, goOn), until: first)
        } else {
            interceptor.retry(outcome, goOn)
        }
    }

    private func pause(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let end = OneShotFlag()
        let pause = plan.equipment.scheduler.schedule(after: max(delay, .zero)) { if end.setIfUnset() { work() } }
        wait(for: pause, until: end)
    }

    private func wait(for task: Task<Void, Never>, until end: OneShotFlag) {
        wait(for: ScheduledWork(onCancel: { task.cancel() }, {}), until: end)
    }

    /// A cancel calls it off.
    ///
    /// What has come to its end already is not waited for: what follows on it may be by now.
    private func wait(for pause: any Cancellable, until end: OneShotFlag) {
        let isTooLate = state.withLock { state in
            if end.isSet { return false }
            if state.isOver || state.isCancelled { return true }
            state.pause = pause
            return false
        }
        if isTooLate {
            pause.cancel()
            self.end(.failure(.cancelled))
        }
    }
}

/// What all flights of a provider have in common.
final class Equipment: Sendable {
    let transport: any Transport
    let plugins: [any PluginType]
    let interceptors: [any RequestInterceptor]
    let timeouts: Timeouts
    let redirects: RedirectPolicy
    let cookies: CookieJar?
    let defaultHeaders: HTTPHeaders
    let nonces = NonceCounts()
    let maximumResponseSize: Int?
    let scheduler: any Scheduler

    init(
        transport: any Transport, plugins: [any PluginType], interceptors: [any RequestInterceptor],
        timeouts: Timeouts, redirects: RedirectPolicy, cookies: CookieJar?,
        defaultHeaders: HTTPHeaders, maximumResponseSize: Int?, scheduler: any Scheduler
    ) {
        self.transport = transport
        self.plugins = plugins
        self.interceptors = interceptors
        self.timeouts = timeouts
        self.redirects = redirects
        self.cookies = cookies
        self.defaultHeaders = defaultHeaders
        self.maximumResponseSize = maximumResponseSize
        self.scheduler = scheduler
    }

    /// The jar whose cookies a request is sent with; nil for a request that has its own `Cookie` field.
    func cookies(for request: URLRequest) -> CookieJar? {
        let hasOwn = request.value(forHTTPHeaderField: "Cookie") != nil || defaultHeaders["Cookie"] != nil
        return hasOwn ? nil : cookies
    }
}
