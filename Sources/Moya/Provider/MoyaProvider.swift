public import Foundation

/// Sends requests for targets and delivers their responses.
///
/// ```swift
/// let provider = MoyaProvider<MyService>()
/// provider.request(.zen) { result in
///     print((try? result.get().mapString()) ?? "no wisdom today")
/// }
/// let user = try await provider.response(.showUser(id: 7)).map(User.self)
/// ```
/// A provider may be used from any thread. Requests retain the provider until they end. Releasing the provider, or the
/// token that `request` returns, does not cancel requests.
public final class MoyaProvider<Target: RelativeTarget>: Sendable {
    /// Creates the endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint
    /// An alternative name for ``ProviderConfiguration/RequestResultClosure``.
    public typealias RequestResultClosure = ProviderConfiguration.RequestResultClosure
    /// An alternative name for ``ProviderConfiguration/RequestClosure``.
    public typealias RequestClosure = ProviderConfiguration.RequestClosure
    /// Decides whether a target is stubbed.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior
    /// Receives the response to a request, or the error if the request failed.
    public typealias Completion = @Sendable (Result<Response, MoyaError>) -> Void
    /// Receives the progress of a request.
    public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void

    /// Creates the endpoint of a target.
    public let endpointClosure: EndpointClosure
    /// Decides whether a target is stubbed.
    public let stubClosure: StubClosure
    /// The options that do not depend on the type of target.
    public var configuration: ProviderConfiguration { providerContext.configuration }

    package var decoding: ResponseDecoding { providerContext.configuration.decoding }

    let providerContext: ProviderContext
    /// Creates the endpoint for ``request(_:method:parameters:completion:)``.
    let endpointsClosure: EndpointsClosure?

    /// Creates a provider with the options of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: the options that do not depend on the type of target; providers may share them.
    ///   - endpointClosure: creates the endpoint of a target; called once per request, on the caller's thread or, for
    ///     an `async` call, on a background thread.
    ///   - stubClosure: decides whether a target is stubbed; called once per request, on the same thread.
    public convenience init(
        configuration: ProviderConfiguration,
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub
    ) {
        self.init(configuration, endpointClosure, endpointsClosure: nil, stubClosure)
    }

    /// Creates a provider; each parameter has a default.
    ///
    /// `endpointClosure` and `stubClosure` are those of ``init(configuration:endpointClosure:stubClosure:)``; the other
    /// parameters set the properties of ``ProviderConfiguration`` with their names.
    public convenience init(
        baseURL: URL? = nil,
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: RequestClosure? = nil,
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: (any Scheduler)? = nil,
        transport: (any Transport)? = nil,
        plugins: [any PluginType] = [],
        interceptors: [any RequestInterceptor] = [],
        trackInflights: Bool = false,
        redirects: RedirectPolicy = .follow,
        cookies: CookieJar? = nil,
        defaultHeaders: HTTPHeaders = .default,
        maximumResponseSize: Int? = 256 << 20,
        timeouts: Timeouts = Timeouts(),
        scheduler: any Scheduler = .background,
        decoding: ResponseDecoding = ResponseDecoding(),
        observers: [any CallObserver] = []
    ) {
        self.init(
            configuration: ProviderConfiguration(
                baseURL: baseURL, requestClosure: requestClosure, callbackQueue: callbackQueue, transport: transport,
                plugins: plugins, interceptors: interceptors, trackInflights: trackInflights, redirects: redirects,
                cookies: cookies, defaultHeaders: defaultHeaders, maximumResponseSize: maximumResponseSize,
                timeouts: timeouts, scheduler: scheduler, decoding: decoding, observers: observers),
            endpointClosure: endpointClosure, stubClosure: stubClosure)
    }

    init(
        _ configuration: ProviderConfiguration, _ endpointClosure: @escaping EndpointClosure,
        endpointsClosure: EndpointsClosure?, _ stubClosure: @escaping StubClosure
    ) {
        self.endpointClosure = endpointClosure
        self.endpointsClosure = endpointsClosure
        self.stubClosure = stubClosure
        providerContext = ProviderContext(configuration)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - target: the target to call.
    ///   - callbackQueue: the scheduler that delivers progress and result; if `nil`, the provider's `callbackQueue`, or
    ///     without one, the thread that produces the result.
    ///   - progress: receives how much has been sent or received. The last progress value is delivered right before
    ///     `completion` is called. This value contains the response if the request has succeeded.
    ///   - completion: receives the outcome, exactly once. A response with any status code is a success, unless the
    ///     target's validation refuses it. A cancelled request fails with an error of the kind `cancelled`.
    /// - Returns: a token that cancels the request. Releasing the token does not cancel the request.
    @discardableResult
    public func request(
        _ target: Target, callbackQueue: (any Scheduler)? = nil, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        send(target, endpoint(target), callbackQueue: callbackQueue, progress: progress, completion: completion)
    }

    /// Cancels all requests that are in flight; does not affect later requests.
    public func cancelAll() {
        for request in providerContext.inFlight.all { request.cancelAll() }
    }

    // If `behavior` is `nil`, the stub closure decides. `stream` has the options of `receive`, which gets the response
    // as it arrives. Unless `runsCallbacks`, all closures may run on a transport's thread, and the provider's callback
    // queue is not used.
    package func send(
        _ target: Target, _ endpoint: consuming Endpoint, _ behavior: StubBehavior? = nil,
        callbackQueue: (any Scheduler)?, stream: StreamOptions? = nil, receive: PartBlock? = nil,
        runsCallbacks: Bool = true, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any TransportExchange {
        let behavior = behavior ?? stubClosure(target)
        let target = target.unwrapped
        MistypedRequirementCheck.check(target)
        let callbackQueue = callbackQueue ?? (runsCallbacks ? providerContext.configuration.callbackQueue : nil)
        let isShared =
            (target.options.sharesInflight ?? (providerContext.configuration.trackInflights && endpoint.method.isSafe))
            && stream == nil && endpoint.task.download == nil
            && behavior == behavior  // False for a delay that is NaN.
        let operation = RequestOperation(
            for: target, endpoint, behavior, isShared: isShared,
            // With the immediate scheduler, callbacks run on the thread that produces their values.
            runsCallbacksInline: runsCallbacks && (callbackQueue == nil || callbackQueue is ImmediateScheduler),
            stream: stream, delivery: callbackQueue.map { CallbackDelivery(on: $0) { $0() } },
            receive: CallRecord.receiver(receive), progress: progress, completion: completion, providerContext,
            provider: self)
        providerContext.runOnVirtualClock { operation.start() }
        return operation
    }

    /// Returns the endpoint of a target, with its URL resolved against the provider's base URL.
    public func endpoint(_ target: Target) -> Endpoint {
        endpointClosure(target).resolved(against: providerContext.configuration.baseURL)
    }

    /// The default endpoint closure.
    ///
    /// - Returns: an endpoint with the URL, method, task and headers of the target; its sample response has the status
    ///   code 200 and the target's sample data.
    @Sendable public static func defaultEndpointMapping(for target: Target) -> Endpoint {
        // The initializer is faster for a concrete type than for `any RelativeTarget`, the type of `unwrapped`.
        Target.self == MultiTarget.self ? Endpoint(target.unwrapped) : Endpoint(target)
    }

    /// The default request closure: calls `closure` at once with the request of the endpoint.
    @Sendable public static func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        closure(Result { () throws(MoyaError) in try endpoint.urlRequest() })
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps a target of any type in a ``MultiTarget``, and sends its request.
    @discardableResult
    public func request(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        request(MultiTarget(target), callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}
