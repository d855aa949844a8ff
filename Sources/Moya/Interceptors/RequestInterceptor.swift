#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The outcome of an attempt, for the decision about another one.
public struct AttemptOutcome: Sendable {
    /// The response after validation, or the error.
    public let result: Result<Response, MoyaError>
    /// The request as it was sent.
    public let request: URLRequest
    /// 1 for the first attempt, more for repetitions.
    public let attempt: Int
    /// How many further attempts of this request the interceptor has requested before.
    public internal(set) var retries: Int
    /// The target.
    public let target: any RelativeTarget

    /// The response, of a success or a failure.
    public var response: Response? {
        switch result {
        case .success(let response): response
        case .failure(let error): error.response
        }
    }
}

/// The decision of an interceptor after an attempt.
public enum RetryDecision: Sendable {
    /// The outcome is final, unless another interceptor decides otherwise.
    case doNotRetry
    /// Another attempt, after a time on the provider's scheduler.
    case retry(after: Duration)
    /// The outcome becomes this error.
    case fail(MoyaError)
}

/// Adapts the requests of a provider before each attempt, and decides about further attempts.
///
/// Before each attempt, ``adapt(_:for:_:)`` of all interceptors is called in their order, then the plugins. After an attempt that
/// failed, or whose response has a status code of 400 or more, ``retry(_:_:)`` is called in the same order, up to the first
/// decision that is not `doNotRetry`; the target's validation makes no difference. Interceptors that say so are asked about all
/// other responses, too: see ``inspectsSuccesses``. Each attempt begins with the request that was made of the endpoint.
///
/// Each method calls its closure once, at once or later, from any thread; later calls are ignored. It returns a token, which is
/// cancelled when the request is, or ``Cancellable/noOp``. Neither method has a default: a misspelled one would be ignored.
///
/// ```swift
/// struct Stamp: RequestInterceptor {
///     func adapt(
///         _ request: URLRequest, for target: any RelativeTarget,
///         _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
///     ) -> any Cancellable {
///         var request = request
///         request.setValue("\(Date())", forHTTPHeaderField: "X-Sent-At")
///         done(.success(request))
///         return .noOp
///     }
///
///     func retry(
///         _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
///     ) -> any Cancellable {
///         done(.doNotRetry)
///         return .noOp
///     }
/// }
/// ```
/// ``AsyncInterceptor`` does the same with `async` closures.
public protocol RequestInterceptor: Sendable {
    /// Changes the request before an attempt, or ends the call with an error.
    func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable
    /// Decides whether there is another attempt.
    func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable
    /// Whether ``retry(_:_:)`` is called after responses with a status code below 400, too, such as for an API that reports
    /// errors in the content of a 200. Defaults to `false`.
    var inspectsSuccesses: Bool { get }
    /// Returns a text that tells apart requests that this interceptor makes different, such as the ID of the user whose token it
    /// adds; or `nil`, the default.
    ///
    /// Requests join an equal one that is in flight only if their keys are equal. With `nil` they are never joined, which is safe
    /// for an interceptor that does not say.
    func sharingKey(for target: any RelativeTarget) -> String?
}

extension RequestInterceptor {
    /// `false`.
    public var inspectsSuccesses: Bool { false }
    /// `nil`.
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
/// Each closure runs in a task of its own, which is cancelled when the request is.
public struct AsyncInterceptor: RequestInterceptor {
    /// Whether `retry` is called after responses with a status code below 400, too.
    public let inspectsSuccesses: Bool
    private let adapt: @Sendable (URLRequest, any RelativeTarget) async throws -> URLRequest
    private let retry: @Sendable (AttemptOutcome) async -> RetryDecision

    /// An interceptor.
    ///
    /// - Parameters:
    ///   - inspectsSuccesses: whether `retry` is called after responses with a status code below 400, too.
    ///   - adapt: changes the request before an attempt; an error ends the call.
    ///   - retry: decides whether there is another attempt.
    public init(
        inspectsSuccesses: Bool = false,
        adapt: @escaping @Sendable (URLRequest, any RelativeTarget) async throws -> URLRequest = { request, _ in request
        },
        retry: @escaping @Sendable (AttemptOutcome) async -> RetryDecision = { _ in .doNotRetry }
    ) {
        self.inspectsSuccesses = inspectsSuccesses
        self.adapt = adapt
        self.retry = retry
    }

    /// Changes the request; the token cancels the task.
    public func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        TaskCancellable(
            task: Task {
                do {
                    done(.success(try await adapt(request, target)))
                } catch {
                    done(.failure(MoyaError(wrapping: error)))
                }
            })
    }

    /// Decides whether there is another attempt; the token cancels the task.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        TaskCancellable(task: Task { done(await retry(outcome)) })
    }
}

/// A task as a token.
private struct TaskCancellable: Cancellable {
    let task: Task<Void, Never>

    var isCancelled: Bool { task.isCancelled }

    func cancel() { task.cancel() }
}

extension MoyaError {
    /// The error itself if it is one, and otherwise the underlying one of another.
    init(wrapping error: any Error) {
        self = error as? MoyaError ?? .underlying(error, nil)
    }
}
