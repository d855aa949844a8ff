#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Puts a credential into requests, and gets a new one when it is refused or about to expire: once, for all that wait.
///
/// ```swift
/// let authentication = AuthenticationInterceptor(
///     credential: session,
///     apply: { session, request in
///         request.setValue("Bearer \(session.accessToken)", forHTTPHeaderField: "Authorization")
///     },
///     refresh: { session in try await login.renew(session.refreshToken) })
/// let provider = MoyaProvider<GitHub>(interceptors: [authentication])
/// ```
/// * However many requests are refused or wait, one refresh runs at a time. A cancel of one of them does not stop it.
/// * A request that was refused with an older credential than the present one is repeated without a refresh.
/// * A refresh that fails is the error of all that waited for it; the next refused request tries again.
/// * A request is repeated once, so that one that is refused for good costs two attempts and one refresh; `retries` allows
///   more. After too many refreshes in a window of time, whatever requests they were for, the refusal stands: that is the
///   ``RefreshLimit``.
///
/// As with ``AccessTokenPlugin`` the credential goes to the hosts that are named, or, if none are, over TLS to any host and in
/// plain text to this machine only. A refresh that goes by way of the same provider would wait for itself: name its target
/// as exempt.
public final class AuthenticationInterceptor<Credential: Sendable>: RequestInterceptor {
    /// Writes a credential into a request.
    public typealias Apply = @Sendable (Credential, inout URLRequest) -> Void

    private enum RefreshOutcome {
        case refreshed
        case failed(MoyaError)
        /// The limit of refreshes was reached.
        case refused
    }

    private typealias Waiter = @Sendable (RefreshOutcome) -> Void

    private struct State: Sendable {
        var credential: Credential?
        /// How often it has changed.
        var generation = 0
        /// How often it was set from outside.
        var settings = 0
        var isRefreshing = false
        var waiters: [Waiter] = []
        /// When the last refreshes began.
        var refreshes: [Duration] = []
    }

    /// How often a credential may be refreshed, by all requests together.
    ///
    /// How often one request is repeated is another limit, the parameter `retries` of the initialisers.
    public struct RefreshLimit: Sendable, Hashable {
        /// How many times.
        public let times: Int
        /// In how long.
        public let window: Duration

        /// A limit.
        public init(times: Int = 5, per window: Duration = .seconds(30)) {
            self.times = times
            self.window = window
        }
    }

    private let hosts: HostAllowList
    private let limit: RefreshLimit
    private let retries: Int
    private let scheduler: any Scheduler
    private let apply: Apply
    private let isExempt: @Sendable (any RelativeTarget) -> Bool
    private let isStale: @Sendable (Credential) -> Bool
    private let isRefused: @Sendable (Response) -> Bool
    private let refresh: @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    private let state: Locked<State>

    /// An interceptor whose refresh calls back, once, from any thread.
    ///
    /// - Parameters:
    ///   - credential: the first one; nil: requests go without, until ``credential`` is set.
    ///   - hosts: where it may go; nil: see above.
    ///   - limit: how often it may be refreshed, by all requests together.
    ///   - retries: how often one request is repeated after a refusal.
    ///   - scheduler: the clock of the limit.
    ///   - apply: writes a credential into a request; twice the same is the same as once.
    ///   - isExempt: whether a target goes without, as that of a log-in or of the refresh itself does.
    ///   - isStale: whether a credential is to be refreshed before it is used.
    ///   - isRefused: whether an answer refuses the credential: those with the status code 401.
    ///   - refresh: gets a new one.
    public init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        retries: Int = 1, scheduler: any Scheduler = .background, apply: @escaping Apply,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 },
        refreshing refresh:
            @escaping @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    ) {
        self.hosts = HostAllowList(hosts)
        self.limit = limit
        self.retries = retries
        self.scheduler = scheduler
        self.apply = apply
        self.isExempt = isExempt
        self.isStale = isStale
        self.isRefused = isRefused
        self.refresh = refresh
        state = Locked(State(credential: credential))
    }

    /// An interceptor whose refresh is `async`; see the other initialiser.
    ///
    /// - Parameters:
    ///   - credential: the first one; nil: requests go without, until ``credential`` is set.
    ///   - hosts: where it may go; nil: see above.
    ///   - limit: how often it may be refreshed, by all requests together.
    ///   - retries: how often one request is repeated after a refusal.
    ///   - scheduler: the clock of the limit.
    ///   - apply: writes a credential into a request; twice the same is the same as once.
    ///   - isExempt: whether a target goes without, as that of a log-in or of the refresh itself does.
    ///   - isStale: whether a credential is to be refreshed before it is used.
    ///   - isRefused: whether an answer refuses the credential: those with the status code 401.
    ///   - refresh: gets a new one.
    public convenience init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        retries: Int = 1, scheduler: any Scheduler = .background, apply: @escaping Apply,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 },
        refresh: @escaping @Sendable (Credential) async throws -> Credential
    ) {
        self.init(
            credential: credential, hosts: hosts, limit: limit, retries: retries, scheduler: scheduler,
            apply: apply, isExempt: isExempt, isStale: isStale, isRefused: isRefused,
            refreshing: { credential, done in
                Task {
                    do {
                        done(.success(try await refresh(credential)))
                    } catch {
                        done(.failure(error))
                    }
                }
            })
    }

    /// The present credential.
    ///
    /// Setting it, after a log-in or log-out, takes effect with the next attempt; what a running refresh gives is not kept then.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set {
            let old = state.withLock { state in
                defer {
                    state.credential = newValue
                    state.settings += 1
                    state.generation += 1
                }
                return state.credential
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Who is logged in, as a number that changes when ``credential`` is set.
    public func sharingKey(for target: any RelativeTarget) -> String? {
        "\(state.withLock { $0.settings })"
    }

    /// Applies the credential to the request, after a refresh if it is stale.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        let (present, generation) = present
        if isExempt(target) || !hosts.allow(request.url) {
            done(.success(request))
        } else if let present, isStale(present) {
            awaitRefresh(since: generation) { [self] outcome in
                switch outcome {
                case .refreshed, .refused: done(.success(credential.map { applied($0, request) } ?? request))
                case .failed(let error): done(.failure(error))
                }
            }
        } else {
            done(.success(present.map { applied($0, request) } ?? request))
        }
        return .noOp
    }

    /// Decides on another attempt after a refused request, when there is another credential.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        let (present, generation) = present
        // A response of another origin, after a redirect, does not refuse this credential.
        if !isExempt(outcome.target), hosts.allow(outcome.request.url), let response = outcome.response,
            response.request?.url?.origin == outcome.request.url?.origin, isRefused(response), let present,
            outcome.retries < retries
        {
            guard !isChanged(applied(present, outcome.request), outcome.request) else {
                done(.retry(after: .zero))
                return .noOp
            }
            awaitRefresh(since: generation) { refresh in
                switch refresh {
                case .refreshed: done(.retry(after: .zero))
                case .refused: done(.doNotRetry)
                case .failed(let error): done(.fail(error))
                }
            }
        } else {
            done(.doNotRetry)
        }
        return .noOp
    }

    private var present: (Credential?, generation: Int) { state.withLock { ($0.credential, $0.generation) } }

    private func applied(_ credential: Credential, _ request: URLRequest) -> URLRequest {
        var request = request
        apply(credential, &request)
        return request
    }

    /// Foundation's own comparison ignores the header fields.
    private func isChanged(_ one: URLRequest, _ other: URLRequest) -> Bool {
        one.url != other.url || one.allHTTPHeaderFields != other.allHTTPHeaderFields || one.httpBody != other.httpBody
    }
}

// MARK: The refresh

extension AuthenticationInterceptor {
    private enum Decision {
        case begin(Credential, settings: Int)
        case wait
        case proceed(RefreshOutcome)
    }

    /// Waits for the running refresh, or begins one, unless the credential has changed since the given generation.
    private func awaitRefresh(since generation: Int, _ waiter: @escaping Waiter) {
        let now = scheduler.now
        let decision = state.withLock { state -> Decision in
            guard state.generation == generation, let credential = state.credential else { return .proceed(.refreshed) }
            guard !state.isRefreshing else {
                state.waiters.append(waiter)
                return .wait
            }
            state.refreshes.removeAll { now - $0 >= limit.window }
            guard state.refreshes.count < limit.times else { return .proceed(.refused) }
            state.refreshes.append(now)
            state.isRefreshing = true
            state.waiters.append(waiter)
            return .begin(credential, settings: state.settings)
        }
        switch decision {
        case .wait: break
        case .proceed(let outcome): waiter(outcome)
        case .begin(let credential, let settings):
            let end = OneShotFlag()
            refresh(credential) { [self] result in
                if end.setIfUnset() { finish(result, settings) }
            }
        }
    }

    /// A credential that was set meanwhile takes precedence over the refreshed one.
    private func finish(_ result: Result<Credential, any Error>, _ settings: Int) {
        let (waiters, isOutdated, old) = state.withLock { state -> ([Waiter], Bool, Credential?) in
            let old = state.credential
            let isOutdated = state.settings != settings
            if !isOutdated, case .success(let credential) = result {
                state.credential = credential
                state.generation += 1
            }
            state.isRefreshing = false
            defer { state.waiters = [] }
            return (state.waiters, isOutdated, old)
        }
        withExtendedLifetime(old) {}
        var outcome = RefreshOutcome.refreshed
        if case .failure(let error) = result, !isOutdated { outcome = .failed(MoyaError(wrapping: error)) }
        for waiter in waiters { waiter(outcome) }
    }
}
