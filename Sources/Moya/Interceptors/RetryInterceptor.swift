import Foundation

/// An interceptor that repeats requests after transient failures.
///
/// ```swift
/// MoyaProvider<GitHub>(interceptors: [.retry(.exponential(initial: .milliseconds(200), times: 3))])
/// ```
/// Transient failures are errors of the kinds `timeout`, `offline`, `unreachable` and `connectionLost`, and responses
/// with one of `statusCodes`. By default, only requests with an idempotent method or with the field `Idempotency-Key`
/// are repeated. The policy limits the number of repetitions, and can exclude some of the transient failures.
///
/// The limits `connect`, `idle` and `attempt` of ``Timeouts`` end one attempt, which may be repeated. The limit `total`
/// ends the call.
///
/// The field `Retry-After` of a response (RFC 9110, section 10.2.3), in seconds or as a date, replaces the delay of the
/// policy. If the field requests a longer delay than `longestRetryAfter`, the request is not repeated. A response from
/// a cache (``Response/cacheStatus``) causes no repetition, because the server has not handled the request.
public struct RetryInterceptor: RequestInterceptor {
    /// The default status codes after which a request is repeated: 408, 429, 500, 502, 503 and 504.
    public static let transientStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    private let policy: RetryPolicy
    private let methods: Set<HTTPMethod>?
    private let statusCodes: Set<Int>
    private let longestRetryAfter: Duration

    /// Creates an interceptor for a policy.
    ///
    /// - Parameters:
    ///   - policy: the number of repetitions and their delays.
    ///   - methods: the methods of requests that are repeated. If `nil`, requests with an idempotent method
    ///     (``HTTPMethod/isIdempotent``) and requests with the field `Idempotency-Key` are repeated (RFC 9110, section
    ///     9.2.2).
    ///   - statusCodes: the status codes after which a request is repeated.
    ///   - longestRetryAfter: the longest delay that `Retry-After` may request.
    public init(
        _ policy: RetryPolicy, methods: Set<HTTPMethod>? = nil,
        statusCodes: Set<Int> = transientStatusCodes, longestRetryAfter: Duration = .seconds(60)
    ) {
        self.policy = policy
        self.methods = methods
        self.statusCodes = statusCodes
        self.longestRetryAfter = longestRetryAfter
    }

    /// Whether a status code below 400 causes a repetition.
    public var inspectsSuccesses: Bool { statusCodes.contains { $0 < 400 } }

    /// Leaves the request unchanged.
    public func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        done(.success(request))
        return .noOp
    }

    /// Requests another attempt after a transient failure, if the policy and the method of the request allow it.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        done(decision(outcome))
        return .noOp
    }

    /// Returns the same key for all targets: this interceptor changes no request, so all equal requests can be shared.
    public func sharingKey(for target: any RelativeTarget) -> String? { "" }

    private func decision(_ outcome: AttemptOutcome) -> RetryDecision {
        let request = outcome.request
        guard methods?.contains(request.method) ?? request.isRepeatable,
            let error = transientError(outcome),
            let delay = policy.delay(beforeRetry: outcome.retries + 1, after: error)
        else { return .doNotRetry }
        guard let retryAfter = outcome.response?.retryAfter else { return .retry(after: delay) }
        return retryAfter <= longestRetryAfter ? .retry(after: retryAfter) : .doNotRetry
    }

    private func transientError(_ outcome: AttemptOutcome) -> MoyaError? {
        switch outcome.result {
        case .success(let response), .failure(.statusCode(let response)):
            statusCodes.contains(response.statusCode) && response.isFromServer ? .statusCode(response) : nil
        case .failure(let error):
            [.timeout, .offline, .unreachable, .connectionLost].contains(error.kind) ? error : nil
        }
    }
}

extension RequestInterceptor where Self == RetryInterceptor {
    /// Returns an interceptor that repeats requests after transient failures; see ``RetryInterceptor``.
    public static func retry(_ policy: RetryPolicy) -> RetryInterceptor { RetryInterceptor(policy) }

    /// Returns an interceptor that repeats requests after transient failures, with the delays of `RetryPolicy(times:)`.
    ///
    /// ```swift
    /// MoyaProvider<GitHub>(interceptors: [.retry(times: 3)])
    /// ```
    /// - Parameter times: the maximum number of repetitions of a request, after the first attempt.
    public static func retry(times: Int) -> RetryInterceptor { RetryInterceptor(RetryPolicy(times: times)) }
}

extension Response {
    /// `false` for a stored response, and for a request that a cache refused because of `only-if-cached`.
    var isFromServer: Bool { cacheStatus.map { $0.forwardReason != nil } ?? true }

    /// The delay that the server requests in `Retry-After` (RFC 9110, section 10.2.3); `nil` if it requests none.
    ///
    /// A date in `Retry-After` is compared with the field `Date` or, without that field, with the current time.
    package var retryAfter: Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if text.isDigits {
            return UInt32(text).map { .seconds(Int64($0)) } ?? .longest
        }
        guard let date = Date(httpDate: text) else { return nil }
        let now = headers["Date"].flatMap { Date(httpDate: $0) } ?? Date()
        return Duration(clampedSeconds: max(date.timeIntervalSince(now), 0))
    }
}
