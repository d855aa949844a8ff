#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Repeats requests that failed, or whose response has a status code of a transient failure.
///
/// ```swift
/// MoyaProvider<GitHub>(interceptors: [.retry(.exponential(initial: .milliseconds(200), times: 3))])
/// ```
/// A `Retry-After` of the server (RFC 9110, section 10.2.3), in seconds or as a date, takes the place of the policy's delay; when
/// it is longer than `longestRetryAfter` the request is not repeated. Failures of the kinds `timeout`, `offline`,
/// `unreachable` and `connectionLost` are repeated. The policy is asked, too: how often, and whether this error is worth it.
public struct RetryInterceptor: RequestInterceptor {
    /// 408, 429, 500, 502, 503 and 504.
    public static let transientStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    private let policy: RetryPolicy
    private let methods: Set<HTTPMethod>?
    private let statusCodes: Set<Int>
    private let longestRetryAfter: Duration

    /// An interceptor for a policy.
    ///
    /// - Parameters:
    ///   - policy: how often and after how long.
    ///   - methods: which methods are repeated; `nil`: those that are ``HTTPMethod/isIdempotent``, and any other with an
    ///     `Idempotency-Key` (RFC 9110, section 9.2.2).
    ///   - statusCodes: after which status codes.
    ///   - longestRetryAfter: for how long a server may ask at most.
    public init(
        _ policy: RetryPolicy, methods: Set<HTTPMethod>? = nil,
        statusCodes: Set<Int> = transientStatusCodes, longestRetryAfter: Duration = .seconds(60)
    ) {
        self.policy = policy
        self.methods = methods
        self.statusCodes = statusCodes
        self.longestRetryAfter = longestRetryAfter
    }

    /// Leaves the request unchanged.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        done(.success(request))
        return .noOp
    }

    /// Decides whether there is another attempt.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        done(decision(outcome))
        return .noOp
    }

    /// An empty key: it makes no request different.
    public func sharingKey(for target: any RelativeTarget) -> String? { "" }

    private func decision(_ outcome: AttemptOutcome) -> RetryDecision {
        let method = HTTPMethod(rawValue: outcome.request.httpMethod ?? "GET")
        let hasKey = outcome.request.value(forHTTPHeaderField: "Idempotency-Key") != nil
        guard methods?.contains(method) ?? (method.isIdempotent || hasKey),
            let error = transientError(outcome),
            let delay = policy.delay(beforeRetry: outcome.retries + 1, after: error)
        else { return .doNotRetry }
        guard let asked = outcome.response?.retryAfter else { return .retry(after: delay) }
        return asked <= longestRetryAfter ? .retry(after: asked) : .doNotRetry
    }

    private func transientError(_ outcome: AttemptOutcome) -> MoyaError? {
        switch outcome.result {
        case .success(let response), .failure(.statusCode(let response)):
            statusCodes.contains(response.statusCode) ? .statusCode(response) : nil
        case .failure(let error):
            [.timeout, .offline, .unreachable, .connectionLost].contains(error.kind) ? error : nil
        }
    }
}

extension RequestInterceptor where Self == RetryInterceptor {
    /// Repeats requests that failed and are idempotent or have an `Idempotency-Key`; see ``RetryInterceptor``.
    public static func retry(_ policy: RetryPolicy) -> RetryInterceptor { RetryInterceptor(policy) }
}

extension Response {
    /// How long the server asks to wait (RFC 9110, section 10.2.3); a date is measured by the server's own clock, if it
    /// gives one.
    var retryAfter: Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if text.isDigits {
            return UInt32(text).map { .seconds(Int64($0)) } ?? .longest
        }
        guard let date = Date(httpDate: text) else { return nil }
        let now = headers["Date"].flatMap(Date.init(httpDate:)) ?? Date()
        return Duration(clampedSeconds: max(date.timeIntervalSince(now), 0))
    }
}
