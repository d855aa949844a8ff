#if canImport(FoundationNetworking)
    import Foundation
#else
    public import Foundation
#endif

/// The outcome of an attempt, which ``RequestInterceptor/retry(_:_:)`` receives.
public struct AttemptOutcome: Sendable {
    /// The response after validation, or the error.
    public let result: Result<Response, MoyaError>
    /// The request as it was sent.
    public let request: TransportRequest
    /// The ordinal number of the attempt, from 1.
    public let attempt: Int
    /// The number of repetitions of this request that the interceptor has requested so far.
    ///
    /// Repetitions that other interceptors have requested are not counted.
    public let retries: Int
    /// The target that the request was created for.
    public let target: any RelativeTarget
    /// The request as the interceptor returned it, before later interceptors, the plugins and the provider changed it.
    let adapted: TransportRequest

    /// The response of a successful or failed attempt; `nil` for a failure without a response.
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
    /// Another attempt is made after a delay on the provider's scheduler.
    case retry(after: Duration)
    /// The request fails with this error.
    case fail(MoyaError)
}

/// Adapts the requests of a provider before each attempt, and decides about further attempts.
///
/// Before each attempt, the provider calls ``adapt(_:for:_:)`` of all interceptors in order, and then the plugins.
/// Each attempt starts from the request that was built from the endpoint.
///
/// After an attempt, the provider calls ``retry(_:_:)`` of the interceptors in the same order, until one makes a
/// decision other than `doNotRetry`. The provider calls `retry` after every failure except a cancellation, and after
/// every response with a status code of 400 or more, even if the target's validation accepts the status code. For
/// other responses, the provider calls `retry` only if ``inspectsSuccesses`` is `true`. The provider does not call
/// `retry` if a part of a streamed response was already delivered, because such a request cannot be repeated.
///
/// `adapt` and `retry` call their closure once, immediately or later, from any thread; further calls are ignored. Both
/// methods return a token that is cancelled together with the request, or ``Cancellable/noOp``. Neither method has a
/// default implementation: with a default, a misspelled method would compile and never be called.
///
/// ```swift
/// struct Stamp: RequestInterceptor {
///     func adapt(
///         _ request: TransportRequest, for target: any RelativeTarget,
///         _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
///     ) -> any Cancellable {
///         var request = request
///         request.headers["X-Sent-At"] = "\(Date())"
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
    /// Adapts the request before an attempt, or makes the request fail with an error.
    func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable
    /// Decides after an attempt whether there is another one.
    func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable
    /// Whether ``retry(_:_:)`` is also called after responses with a status code below 400; `false` by default.
    ///
    /// If `true`, the interceptor can repeat requests to an API that reports errors in the content of responses with
    /// the status code 200. After a completed download, `retry` is not called, because the file has already been moved
    /// to its destination.
    var inspectsSuccesses: Bool { get }
    /// Returns a key that is equal only for requests that the interceptor adapts in the same way.
    ///
    /// An example is the ID of the user whose token the interceptor adds. A request joins an equal in-flight request
    /// only if both have the same key. With the key `nil`, a request never joins another request. Defaults to `nil`,
    /// because the provider does not know how the interceptor adapts requests.
    func sharingKey(for target: any RelativeTarget) -> String?
}

extension RequestInterceptor {
    /// Returns `false`: the interceptor does not inspect successful responses.
    public var inspectsSuccesses: Bool { false }
    /// Returns `nil`: requests are never shared.
    public func sharingKey(for target: any RelativeTarget) -> String? { nil }
}

/// An interceptor that adapts requests as `URLRequest`, for code that is written for Foundation.
///
/// The provider converts each request, which costs more than a ``RequestInterceptor``.
public protocol URLRequestInterceptor: RequestInterceptor {
    /// Adapts the request before an attempt, or makes the request fail with an error.
    func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable
}

extension URLRequestInterceptor {
    /// Adapts the request with the method that takes a `URLRequest`.
    public func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        do throws(MoyaError) {
            return adapt(try request.checkedURLRequest(), for: target) { result in
                done(
                    Result { () throws(MoyaError) in
                        var adapted = request
                        try adapted.update(to: try result.get())
                        return adapted
                    })
            }
        } catch {
            done(.failure(error))
            return .noOp
        }
    }
}

/// An interceptor with `async` closures.
///
/// ```swift
/// AsyncInterceptor(adapt: { request, _ in
///     var request = request
///     request.headers["Authorization"] = try await vault.token()
///     return request
/// })
/// ```
/// Each call of a closure runs in its own task. Cancelling the request cancels the task.
public struct AsyncInterceptor: RequestInterceptor {
    /// Whether `retry` is also called after responses with a status code below 400.
    public let inspectsSuccesses: Bool
    private let adapt: @Sendable (TransportRequest, any RelativeTarget) async throws -> TransportRequest
    private let retry: @Sendable (AttemptOutcome) async -> RetryDecision

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - inspectsSuccesses: whether `retry` is also called after responses with a status code below 400.
    ///   - adapt: adapts the request before an attempt. If the closure throws an error, the request fails. If it throws
    ///     a `CancellationError` although the request was not cancelled, the kind of the request's error is `request`.
    ///   - retry: decides whether there is another attempt.
    public init(
        inspectsSuccesses: Bool = false,
        adapt: @escaping @Sendable (TransportRequest, any RelativeTarget) async throws -> TransportRequest = {
            request, _ in request
        },
        retry: @escaping @Sendable (AttemptOutcome) async -> RetryDecision = { _ in .doNotRetry }
    ) {
        self.inspectsSuccesses = inspectsSuccesses
        self.adapt = adapt
        self.retry = retry
    }

    /// Adapts the request in a task, which the returned token cancels.
    public func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        TaskCancellable(
            task: Task(executorPreference: CurrentVirtualClock.current) {
                do {
                    done(.success(try await adapt(request, target)))
                } catch is CancellationError where !Task.isCancelled {
                    let reason =
                        "something that an interceptor awaited was cancelled, although the request was not. Catch this "
                        + "error in `adapt`, and try again or throw another one."
                    done(.failure(.requestMapping(reason)))
                } catch {
                    done(.failure(MoyaError(wrapping: error)))
                }
            })
    }

    /// Decides in a task whether there is another attempt; the returned token cancels the task.
    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        TaskCancellable(
            task: Task(executorPreference: CurrentVirtualClock.current) { done(await retry(outcome)) })
    }
}

extension MoyaError {
    package init(wrapping error: any Error) {
        self = error as? MoyaError ?? (error is CancellationError ? .cancelled : .underlying(error, nil))
    }
}
