import Foundation

/// An interceptor that adds a credential to requests, and refreshes a credential that is refused or stale.
///
/// ```swift
/// let authentication = AuthenticationInterceptor(
///     credential: session,
///     apply: { session, request in
///         request.headers["Authorization"] = "Bearer \(session.accessToken)"
///     },
///     refresh: { session in try await login.renew(session.refreshToken) })
/// let provider = MoyaProvider<GitHub>(interceptors: [authentication])
/// ```
/// * One refresh of a credential runs at a time, and all waiting requests use its result. Cancelling a request does not
///   cancel the refresh.
/// * A credential that you set during a refresh is refreshed by itself if it is refused, even if the refresh of the
///   former one is still running.
/// * If the credential has changed since a refused request was sent, the request is repeated without a refresh.
/// * A request waits for a refresh until its ``Timeouts/total`` has passed. The refresh itself has no limit, and
///   continues for other requests.
/// * If a refresh fails, all waiting requests fail with the error of the refresh. If it is cancelled, they fail with
///   `URLError.userAuthenticationRequired`. The next refused request starts another refresh.
/// * By default, a request is repeated at most once, so a request that is always refused costs two attempts and one
///   refresh. The parameter `maximumRetries` allows more repetitions.
/// * ``RefreshLimit`` limits the number of refreshes in a period of time, for all requests together. Beyond the limit,
///   a refused request is not repeated. A request with a stale credential fails with the error of the last refresh, or
///   is sent if the last refresh succeeded.
///
/// The credential is sent over https only, except to the local host. With `hosts`, it is sent to these hosts only; the
/// prefix `http://` allows http for a host, too.
///
/// If the closure `refresh` sends a request through the same provider, `isExempt` must return `true` for the target of
/// that request. Otherwise, the refresh would wait for a request that waits for the refresh.
public final class AuthenticationInterceptor<Credential: Sendable>: RequestInterceptor {
    /// Writes a credential into a request.
    public typealias Apply = @Sendable (Credential, inout TransportRequest) -> Void

    private enum RefreshOutcome {
        case refreshed
        case failed(MoyaError)
        /// The limit was reached, so no refresh was started. The error is that of the last one, if it failed.
        case limitReached(MoyaError?)
    }

    private final class Waiter: Cancellable {
        let resume: @Sendable (RefreshOutcome) -> Void
        private let interceptor: AuthenticationInterceptor
        private let cancelled = OneShotFlag()

        init(_ interceptor: AuthenticationInterceptor, _ resume: @escaping @Sendable (RefreshOutcome) -> Void) {
            self.interceptor = interceptor
            self.resume = resume
        }

        var isCancelled: Bool { cancelled.isSet }

        func cancel() {
            guard cancelled.setIfUnset() else { return }
            let waiter = interceptor.state.withLock { $0.waiters.removeValue(forKey: ObjectIdentifier(self))?.waiter }
            withExtendedLifetime(waiter) {}
        }
    }

    private struct State: Sendable {
        var credential: Credential?
        /// Increases with each assignment and each refresh of the credential, so that a change can be detected.
        var generation = 0
        /// Increases with each assignment to `credential`, so that an assignment during a refresh can be detected.
        var assignments = 0
        /// Whether the current credential is being refreshed.
        var isRefreshing = false
        var waiters: [ObjectIdentifier: (number: Int, waiter: Waiter)] = [:]
        var lastWaiter = 0
        /// The start times of the refreshes that count towards the limit.
        var refreshes: [Duration] = []
        /// The error of the last refresh; `nil` if it has succeeded.
        var failure: MoyaError?

        /// Ends the refresh; returns the waiters in the order in which they came.
        mutating func endRefresh() -> [Waiter] {
            isRefreshing = false
            return exchange(&waiters, with: [:]).values.sorted { $0.number < $1.number }.map(\.waiter)
        }
    }

    /// The maximum number of refreshes in a period of time, for all requests together.
    public struct RefreshLimit: Sendable, Hashable {
        /// The maximum number of refreshes that start within ``window``.
        public let times: Int
        /// The length of the period in which at most ``times`` refreshes start.
        public let window: Duration

        /// Creates a limit, by default of five refreshes in 30 seconds.
        public init(times: Int = 5, per window: Duration = .seconds(30)) {
            self.times = times
            self.window = window
        }
    }

    /// Whether `isRefused` is also called for responses with a status code below 400.
    public let inspectsSuccesses: Bool
    private let hosts: HostAllowList
    private let limit: RefreshLimit
    private let maximumRetries: Int
    private let scheduler: any Scheduler
    private let apply: Apply
    private let isExempt: @Sendable (any RelativeTarget) -> Bool
    private let isStale: @Sendable (Credential) -> Bool
    private let isRefused: @Sendable (Response) -> Bool
    private let refresh: @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    private let state: Locked<State>

    /// Creates an interceptor whose function `refresh` passes its result to a completion closure.
    ///
    /// `refresh` refreshes a credential; it must call the completion closure with the new credential or an error, once,
    /// on any thread. The other parameters are those of the `async` initializer.
    public init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        maximumRetries: Int = 1, scheduler: any Scheduler = .background, apply: @escaping Apply,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 }, inspectsSuccesses: Bool = false,
        refreshing refresh:
            @escaping @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    ) {
        self.hosts = HostAllowList(hosts)
        self.limit = limit
        self.maximumRetries = maximumRetries
        self.scheduler = scheduler
        self.apply = apply
        self.isExempt = isExempt
        self.isStale = isStale
        self.isRefused = isRefused
        self.inspectsSuccesses = inspectsSuccesses
        self.refresh = refresh
        state = Locked(State(credential: credential))
    }

    /// Creates an interceptor whose `refresh` is an `async` closure.
    ///
    /// - Parameters:
    ///   - credential: the first credential; if `nil`, requests have no credential until ``credential`` is set.
    ///   - hosts: the names of the hosts that the credential may be sent to, without ports, as in
    ///     `["api.example", "http://intranet.example"]`; case is ignored. If `nil`, any host.
    ///   - limit: how many refreshes may start in a period, for all requests together.
    ///   - maximumRetries: the maximum number of repetitions of one request whose credential is refused.
    ///   - scheduler: the clock that measures the period of `limit`; by default, also the virtual clock of a provider.
    ///   - apply: writes a credential into a request. The closure must be idempotent: if applying the current
    ///     credential again would change what it has made of a refused request, the interceptor assumes that it was
    ///     sent with another credential.
    ///   - isExempt: returns `true` for a target that is sent without the credential, such as a log-in or the refresh.
    ///   - isStale: returns whether a credential must be refreshed before it is used.
    ///   - isRefused: returns whether a response refuses the credential. Defaults to the status code 401.
    ///   - inspectsSuccesses: whether `isRefused` is also called for responses with a status code below 400, as for an
    ///     API that refuses a credential in the content of a response with 200. Streamed responses of this kind are not
    ///     inspected, because their content is delivered as it arrives.
    ///   - refresh: returns a new credential.
    public convenience init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        maximumRetries: Int = 1, scheduler: any Scheduler = .background, apply: @escaping Apply,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 }, inspectsSuccesses: Bool = false,
        refresh: @escaping @Sendable (Credential) async throws -> Credential
    ) {
        self.init(
            credential: credential, hosts: hosts, limit: limit, maximumRetries: maximumRetries, scheduler: scheduler,
            apply: apply, isExempt: isExempt, isStale: isStale, isRefused: isRefused,
            inspectsSuccesses: inspectsSuccesses,
            refreshing: { credential, done in
                Task(executorPreference: CurrentVirtualClock.current) {
                    let result: Result<Credential, any Error>
                    do { result = .success(try await refresh(credential)) } catch { result = .failure(error) }
                    // The waiting requests must not see the task-local values of the one that started the refresh.
                    Task.detached(executorPreference: CurrentVirtualClock.current) { done(result) }
                }
            })
    }

    /// The current credential.
    ///
    /// Set the credential after a log-in or log-out. The next attempt of each request uses the new value. The result
    /// of a running refresh is discarded, and the requests that wait for it continue at once.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set {
            let (old, waiters) = state.withLock { state in
                defer {
                    state.credential = newValue
                    state.assignments += 1
                    state.generation += 1
                }
                return ((state.credential, state.failure.take()), state.endRefresh())
            }
            withExtendedLifetime(old) {}
            for waiter in waiters where !waiter.isCancelled { waiter.resume(.refreshed) }
        }
    }

    /// Returns a key that changes each time ``credential`` is set, so that different users never share a response.
    public func sharingKey(for target: any RelativeTarget) -> String? {
        isExempt(target) ? "exempt" : "\(state.withLock { $0.assignments })"
    }

    /// Applies the credential to the request; a stale credential is refreshed first.
    public func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        let (current, generation) = current
        if isExempt(target) || !hosts.allow(request.url, for: "AuthenticationInterceptor") {
            done(.success(request))
        } else if let current, isStale(current) {
            return awaitRefresh(since: generation) { [self] outcome in
                switch outcome {
                case .refreshed, .limitReached(nil):
                    done(.success(applied(credential, request)))
                case .failed(let error), .limitReached(let error?): done(.failure(error))
                }
            }
        } else {
            done(.success(applied(current, request)))
        }
        return .noOp
    }

    /// Requests another attempt if the response refuses the credential, unless the limit of repetitions is reached.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        let (current, generation) = current
        // After a redirect to another origin, the response is ignored: the credential was not sent to that origin.
        guard !isExempt(outcome.target), hosts.allow(outcome.request.url), let response = outcome.response,
            response.requestURL?.origin == outcome.request.url.origin, response.isFromServer, isRefused(response),
            let current, outcome.retries < maximumRetries
        else {
            done(.doNotRetry)
            return .noOp
        }
        let adapted = outcome.adapted
        let renewed = applied(current, adapted)
        guard renewed.url == adapted.url, renewed.headers == adapted.headers, renewed.content == adapted.content else {
            done(.retry(after: .zero))
            return .noOp
        }
        return awaitRefresh(since: generation) { refresh in
            switch refresh {
            case .refreshed: done(.retry(after: .zero))
            case .limitReached: done(.doNotRetry)
            case .failed(let error): done(.fail(error))
            }
        }
    }

    /// The time that limits refreshes: that of a virtual clock, if one runs this code and no other clock was chosen.
    private var now: Duration {
        let virtual = scheduler.isBackground ? CurrentVirtualClock.current as? any Scheduler : nil
        return (virtual ?? scheduler).now
    }

    private var current: (Credential?, generation: Int) { state.withLock { ($0.credential, $0.generation) } }

    private func applied(_ credential: Credential?, _ request: TransportRequest) -> TransportRequest {
        var request = request
        if let credential { apply(credential, &request) }
        return request
    }

    // Starts a refresh unless one is running, and calls `resume` at its end; immediately, without a refresh, if the
    // credential has changed since `generation` or is missing, or the limit of refreshes is reached. The token
    // releases `resume` without calling it, and doesn't cancel the refresh.
    private func awaitRefresh(
        since generation: Int, _ resume: @escaping @Sendable (RefreshOutcome) -> Void
    ) -> any Cancellable {
        let waiter = Waiter(self, resume)
        let now = now
        let (outcome, begun) = state.withLock { state -> (RefreshOutcome?, (Credential, assignments: Int)?) in
            guard state.generation == generation, let credential = state.credential else { return (.refreshed, nil) }
            if !state.isRefreshing {
                state.refreshes.removeAll { now - $0 >= limit.window }
                guard state.refreshes.count < limit.times else { return (.limitReached(state.failure), nil) }
                state.refreshes.append(now)
            }
            state.lastWaiter += 1
            state.waiters[ObjectIdentifier(waiter)] = (state.lastWaiter, waiter)
            return (nil, exchange(&state.isRefreshing, with: true) ? nil : (credential, state.assignments))
        }
        if let outcome { resume(outcome) }
        if let (credential, assignments) = begun {
            let hasFinished = OneShotFlag()
            refresh(credential) { [self] result in
                if hasFinished.setIfUnset() { finish(result, assignments) }
            }
        }
        return waiter
    }

    /// Does nothing if a credential was set during the refresh.
    private func finish(_ result: Result<Credential, any Error>, _ assignments: Int) {
        var outcome = RefreshOutcome.refreshed
        let (waiters, old) = state.withLock { state -> ([Waiter], (Credential?, MoyaError?)?) in
            guard state.assignments == assignments else { return ([], nil) }
            let old = (state.credential, state.failure.take())
            switch result {
            case .success(let credential):
                state.credential = credential
                state.generation += 1
            case .failure(let error):
                var error = MoyaError(wrapping: error)
                // A request that waits for a refresh is not cancelled because the refresh is.
                if error.isCancelled {
                    let reason = "The refresh of the credential was cancelled."
                    error = .underlying(URLError(.userAuthenticationRequired, reason), nil)
                }
                state.failure = error
                outcome = .failed(error)
            }
            return (state.endRefresh(), old)
        }
        withExtendedLifetime(old) {}
        for waiter in waiters where !waiter.isCancelled { waiter.resume(outcome) }
    }
}
