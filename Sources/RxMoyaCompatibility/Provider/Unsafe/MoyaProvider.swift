public import Foundation
public import Moya

/// A provider with the interface of Moya 15: it can be subclassed, and delivers results on the main queue by default.
///
/// The ``underlyingProvider``, a `Moya.MoyaProvider`, sends the requests. Code can move to that provider call by call.
/// In a file that imports `RxMoyaCompatibility` only, the name `MoyaProvider` means this class. A subclass that is used
/// from several threads must protect its own variables, as with Moya 15.
// SAFETY: the conformance to `Sendable` is unchecked, because the compiler can check it only for a final class. All
// stored properties of this class are constants of `Sendable` types. A subclass must protect its own variables.
// `CompatibleProviderTests` sends requests from several threads, also under the thread sanitizer.
@available(*, deprecated, message: "use Moya.MoyaProvider, such as the underlyingProvider")
open class MoyaProvider<Target: TargetType>: MoyaProviderType, @unchecked Sendable {
    /// Creates the endpoint of a target.
    public typealias EndpointClosure = Moya.MoyaProvider<Target>.EndpointClosure
    /// Receives the created request, or the error that prevented the creation.
    public typealias RequestResultClosure = ProviderConfiguration.RequestResultClosure
    /// Creates the request of an endpoint, immediately or later.
    public typealias RequestClosure = ProviderConfiguration.RequestClosure
    /// Decides whether a target is stubbed.
    public typealias StubClosure = Moya.MoyaProvider<Target>.StubClosure

    /// Creates the endpoint of a target.
    public let endpointClosure: EndpointClosure
    /// Creates the request of an endpoint.
    public let requestClosure: RequestClosure
    /// Decides whether a target is stubbed.
    public let stubClosure: StubClosure
    /// The plugins, in the order in which they are called.
    public let plugins: [any PluginType]
    /// Whether a request joins an equal in-flight request instead of being sent.
    public let trackInflights: Bool
    /// The provider that sends the requests.
    ///
    /// It has no callback queue. Unless a call specifies one, the result is delivered on the thread that produces it.
    public let underlyingProvider: Moya.MoyaProvider<Target>

    private let callbackQueue: DispatchQueue?

    /// Creates a provider.
    ///
    /// The parameters are those of `Moya.MoyaProvider`, which replace `session:`. If `callbackQueue` is `nil`, the main
    /// queue delivers progress and results, except the results of immediate stubs, which come before `request` returns.
    public init(
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = { MoyaProvider.neverStub($0) },
        callbackQueue: DispatchQueue? = nil, plugins: [any PluginType] = [], trackInflights: Bool = false,
        transport: (any Transport)? = nil, interceptors: [any RequestInterceptor] = [],
        timeouts: Timeouts = Timeouts(), cookies: CookieJar? = nil, defaultHeaders: HTTPHeaders = .default
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.plugins = plugins
        self.trackInflights = trackInflights
        self.callbackQueue = callbackQueue
        underlyingProvider = Moya.MoyaProvider(
            endpointClosure: endpointClosure, requestClosure: requestClosure, stubClosure: stubClosure,
            transport: transport, plugins: plugins, interceptors: interceptors, trackInflights: trackInflights,
            cookies: cookies, defaultHeaders: defaultHeaders, timeouts: timeouts)
    }

    /// Not available: `transport`, `timeouts`, `cookies` and `interceptors` replace `session`.
    @available(
        *, unavailable,
        message: "there is no Session: pass transport:, timeouts:, cookies: and interceptors:, see MigratingFromMoya"
    )
    public convenience init(
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = { MoyaProvider.neverStub($0) },
        callbackQueue: DispatchQueue? = nil, session: Any, plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) { self.init() }

    /// Returns the endpoint of a target.
    ///
    /// A subclass may override this method. ``request(_:callbackQueue:progress:completion:)`` calls the override, but
    /// the ``underlyingProvider`` calls ``endpointClosure`` instead.
    open func endpoint(_ token: Target) -> Endpoint { endpointClosure(token) }

    /// Sends a request; a subclass may override this method, and the streams of `rx` call the override.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - callbackQueue: delivers progress and the result. If `nil`, the `callbackQueue` of the initializer applies.
    ///   - progress: receives the number of bytes that were sent or received.
    ///   - completion: receives the outcome, exactly once.
    /// - Returns: a token that cancels the request. Releasing the token does not cancel the request.
    @discardableResult open func request(
        _ target: Target, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> any Cancellable {
        let behavior = stubClosure(target)
        // If no queue is given, immediate stubs deliver on the caller's thread, and other requests on the main queue.
        let standard: (any Scheduler)? = behavior == .immediate ? nil : .main
        return underlyingProvider.send(
            target, endpoint(target).resolved(against: underlyingProvider.configuration.baseURL), behavior,
            callbackQueue: callbackQueue ?? self.callbackQueue ?? standard, progress: progress, completion: completion)
    }

    /// The default endpoint closure: returns an endpoint with the target's URL, method, task, headers and sample data.
    @Sendable public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Moya.MoyaProvider<Target>.defaultEndpointMapping(for: target)
    }

    /// The default request closure: passes the request of the endpoint to `closure` immediately.
    @Sendable public final class func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        Moya.MoyaProvider<Target>.defaultRequestMapping(for: endpoint, closure: closure)
    }

    /// The default stub closure: stubs no target, so all requests are sent.
    @Sendable public final class func neverStub(_: Target) -> StubBehavior { .never }
    /// A stub closure: stubs all targets, and delivers their sample responses immediately.
    @Sendable public final class func immediatelyStub(_: Target) -> StubBehavior { .immediate }
    /// Returns a stub closure that stubs all targets, and delivers their sample responses after a delay in seconds.
    public final class func delayedStub(_ seconds: TimeInterval) -> StubClosure { { _ in .delayed(seconds: seconds) } }
}
