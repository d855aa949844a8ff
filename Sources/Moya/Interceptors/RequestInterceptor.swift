#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// How an attempt ended, for the decision about another one.
public struct AttemptOutcome: Sendable {
    /// The answer after validation, or why there is none.
    public let result: Result<Response, MoyaError>
    /// The request as it was sent.
    public let request: URLRequest
    /// 1 for the first attempt, more for repetitions.
    public let attempt: Int
    /// How many further attempts of this request the interceptor that is asked now has asked for before.
    public internal(set) var retries: Int
    /// The target.
    public let target: any RelativeTarget

    /// The answer, be it a success or a failure.
    public var response: Response? {
        switch result {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}

/// What is to be done after an attempt.
public enum RetryDecision: Sendable {
    /// The outcome stands, unless another interceptor wants another attempt.
    case doNotRetry
    /// Another attempt, after a time on the provider's scheduler.
    case retry(after: Duration)
    /// The outcome becomes this error.
    case fail(MoyaError)
}

/// Adapts requests and decides about retries, asynchronously: for tokens that must be fetched and failures to retry.
///
/// Before each attempt ``adapt(_:for:_:)`` of all interceptors in their order, then the plugins. After an attempt that failed
/// or was answered with a status code of 400 or more ``retry(_:_:)``, in the same order up to the first that does not say
/// `doNotRetry`, whatever the target's validation is. Each attempt begins with the request that was made of the endpoint.
///
/// Each method is given a closure to call once, at once or later, from any thread; later calls are ignored. A request that is
/// cancelled meanwhile ends at once.
///
/// ```swift
/// MoyaProvider<GitHub>(interceptors: [.retry(.exponential(initial: .milliseconds(200), times: 3))])
/// ```
/// ``AsyncInterceptor`` does the same with `async` closures.
public protocol RequestInterceptor: Sendable {
    /// Changes the request before an attempt, or ends the call with an error.
    func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void)
    /// Decides whether there is another attempt.
    func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void)
    /// What tells requests apart that this interceptor makes different, such as the user whose token it adds.
    ///
    /// Where a provider lets requests take part in one that is in flight, these must have it in common. Nil: they are not
    /// shared, which is what is safe for an interceptor that does not say.
    func sharingKey(for target: any RelativeTarget) -> String?
}

extension RequestInterceptor {
    /// Leaves the request as it is.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) { done(.success(request)) }
    /// No other attempt.
    public func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) {
        done(.doNotRetry)
    }
    /// Nil.
    public func sharingKey(for target: any RelativeTarget) -> String? { nil }
}

/// An interceptor made of `async` closures.
///
/// ```swift
/// AsyncInterceptor(adapt: { request, _ in
///     var request = request
///     request.setValue(try await vault.token(), forHTTPHeaderField: "Authorization")
///     return request
/// })
/// ```
/// Each runs in a task of its own, which a cancel of the request cancels, if the provider itself has this interceptor and not
/// another one that asks it.
public struct AsyncInterceptor: RequestInterceptor {
    private let adapt: @Sendable (URLRequest, any RelativeTarget) async throws -> URLRequest
    private let retry: @Sendable (AttemptOutcome) async -> RetryDecision

    /// An interceptor.
    ///
    /// - Parameters:
    ///   - adapt: changes the request before an attempt; an error ends the call.
    ///   - retry: decides whether there is another attempt.
    public init(
        adapt: @escaping @Sendable (URLRequest, any RelativeTarget) async throws -> URLRequest = { request, _ in request
        },
        retry: @escaping @Sendable (AttemptOutcome) async -> RetryDecision = { _ in .doNotRetry }
    ) {
        self.adapt = adapt
        self.retry = retry
    }

    /// Changes the request.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) { _ = adapting(request, for: target, done) }

    /// Decides whether there is another attempt.
    public func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) {
        _ = retrying(outcome, done)
    }

    func adapting(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                done(.success(try await adapt(request, target)))
            } catch {
                done(.failure(MoyaError(wrapping: error)))
            }
        }
    }

    func retrying(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> Task<Void, Never> {
        Task { done(await retry(outcome)) }
    }
}

extension MoyaError {
    /// The error itself if it is one, and otherwise the underlying one of another.
    init(wrapping error: any Error) {
        self = error as? MoyaError ?? .underlying(error, nil)
    }
}
