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
/// * After too many refreshes in a window of time the refusal stands, so that a server that refuses everything ends in no
///   loop.
///
/// As with ``AccessTokenPlugin`` the credential goes to the hosts that are named, or, if none are, over TLS to any host and in
/// plain text to this machine only.
public final class AuthenticationInterceptor<Credential: Sendable>: RequestInterceptor {
    /// Writes a credential into a request.
    public typealias Apply = @Sendable (Credential, inout URLRequest) -> Void

    private typealias Waiter = @Sendable (Result<Void, MoyaError>) -> Void

    private struct State: Sendable {
        var credential: Credential?
        /// How often somebody has set it.
        var settings = 0
        var isRefreshing = false
        var waiters: [Waiter] = []
        /// When the last ones began.
        var refreshes: [Duration] = []
    }

    /// How often a credential may be refreshed.
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

    private let hosts: HostList
    private let limit: RefreshLimit
    private let scheduler: any Scheduler
    private let apply: Apply
    private let isStale: @Sendable (Credential) -> Bool
    private let isRefused: @Sendable (Response) -> Bool
    private let refresh: @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    private let state: Guarded<State>

    /// An interceptor whose refresh calls back, once, from any thread.
    ///
    /// - Parameters:
    ///   - credential: the first one; nil: requests go without, until ``credential`` is set.
    ///   - hosts: where it may go; nil: see above.
    ///   - limit: how often it may be refreshed.
    ///   - scheduler: the clock of the limit.
    ///   - apply: writes a credential into a request; twice the same is the same as once.
    ///   - isStale: whether a credential is to be refreshed before it is used.
    ///   - isRefused: whether an answer refuses the credential: those with the status code 401.
    ///   - refresh: gets a new one.
    public init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        scheduler: any Scheduler = .background, apply: @escaping Apply,
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 },
        refreshing refresh:
            @escaping @Sendable (Credential, @escaping @Sendable (Result<Credential, any Error>) -> Void) -> Void
    ) {
        self.hosts = HostList(hosts)
        self.limit = limit
        self.scheduler = scheduler
        self.apply = apply
        self.isStale = isStale
        self.isRefused = isRefused
        self.refresh = refresh
        state = Guarded(State(credential: credential))
    }

    /// An interceptor whose refresh is `async`; see the other initialiser.
    ///
    /// - Parameters:
    ///   - credential: the first one; nil: requests go without, until ``credential`` is set.
    ///   - hosts: where it may go; nil: see above.
    ///   - limit: how often it may be refreshed.
    ///   - scheduler: the clock of the limit.
    ///   - apply: writes a credential into a request; twice the same is the same as once.
    ///   - isStale: whether a credential is to be refreshed before it is used.
    ///   - isRefused: whether an answer refuses the credential: those with the status code 401.
    ///   - refresh: gets a new one.
    public convenience init(
        credential: Credential?, hosts: Set<String>? = nil, limit: RefreshLimit = RefreshLimit(),
        scheduler: any Scheduler = .background, apply: @escaping Apply,
        isStale: @escaping @Sendable (Credential) -> Bool = { _ in false },
        isRefused: @escaping @Sendable (Response) -> Bool = { $0.statusCode == 401 },
        refresh: @escaping @Sendable (Credential) async throws -> Credential
    ) {
        self.init(
            credential: credential, hosts: hosts, limit: limit, scheduler: scheduler, apply: apply, isStale: isStale,
            isRefused: isRefused,
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
            state.withLock { state in
                state.credential = newValue
                state.settings += 1
            }
        }
    }

    /// Puts the credential into the request, a fresh one if it is stale.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) {
        guard hosts.allow(request.url), let credential else { return done(.success(request)) }
        guard isStale(credential) else { return done(.success(applied(credential, request))) }
        wait { [self] result in
            done(result.map { self.credential.map { applied($0, request) } ?? request })
        }
    }

    /// Another attempt for what was refused, as soon as there is another credential.
    public func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) {
        guard hosts.allow(outcome.request.url), let response = outcome.response, isRefused(response), let credential
        else { return done(.doNotRetry) }
        // A few times only: an `apply` that is different each time would look like a new credential for ever.
        if outcome.attempt <= 3, isChanged(applied(credential, outcome.request), outcome.request) {
            return done(.retry(after: .zero))
        }
        wait { result in
            switch result {
            case .success: done(.retry(after: .zero))
            case .failure(let error): done(.fail(error))
            }
        }
    }

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
    private enum Turn {
        case begin(Credential, settings: Int)
        case wait
        case refuse
    }

    /// Waits for the refresh that runs, or begins one.
    private func wait(_ waiter: @escaping Waiter) {
        let now = scheduler.now
        let turn = state.withLock { state -> Turn in
            guard !state.isRefreshing else {
                state.waiters.append(waiter)
                return .wait
            }
            state.refreshes.removeAll { now - $0 >= limit.window }
            guard let credential = state.credential, state.refreshes.count < limit.times else { return .refuse }
            state.refreshes.append(now)
            state.isRefreshing = true
            state.waiters.append(waiter)
            return .begin(credential, settings: state.settings)
        }
        switch turn {
        case .wait: break
        case .refuse: waiter(.failure(.underlying(AuthenticationError.tooManyRefreshes, nil)))
        case .begin(let credential, let settings):
            let end = OneTime()
            refresh(credential) { [self] result in
                if end.isFirst { finish(result, settings) }
            }
        }
    }

    private func finish(_ result: Result<Credential, any Error>, _ settings: Int) {
        let waiters = state.withLock { state in
            if case .success(let credential) = result, state.settings == settings { state.credential = credential }
            state.isRefreshing = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter(result.map { _ in }.mapError(MoyaError.init(wrapping:))) }
    }
}
