public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests for targets: the way in.
///
/// ```swift
/// let provider = MoyaProvider<MyService>()
/// provider.request(.zen) { result in
///     print((try? result.get().mapString()) ?? "no wisdom today")
/// }
/// let user = try await provider.response(.showUser(id: 7)).map(User.self)
/// ```
/// A provider may be used from any thread. It lives as long as one of its requests does; dropping it, or the token of a
/// request, cancels nothing.
public final class MoyaProvider<Target: RelativeTarget>: Sendable {
    /// Makes an endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint
    /// Takes the request that was made, or why none could be.
    ///
    /// To be called once, from any thread; later calls are ignored.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void
    /// Makes a request of an endpoint, at once or later.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void
    /// Says whether a target is stubbed.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior
    /// Takes the outcome of a request.
    public typealias Completion = @Sendable (Result<Response, MoyaError>) -> Void
    /// Takes the progress of a request.
    public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void

    /// Where the paths of targets without a base URL of their own begin.
    public let baseURL: URL?
    /// Makes an endpoint of a target.
    public let endpointClosure: EndpointClosure
    /// Makes a request of an endpoint.
    public let requestClosure: RequestClosure
    /// Says whether a target is stubbed.
    public let stubClosure: StubClosure
    /// Where results are delivered, unless the request says otherwise.
    public let callbackQueue: (any Scheduler)?
    /// The engine.
    public let transport: any Transport
    /// The plugins, in their order.
    public let plugins: [any PluginType]
    /// How long requests may take.
    public let timeouts: Timeouts
    /// The clock of stub delays and timeouts.
    public let scheduler: any Scheduler

    /// A provider.
    ///
    /// Everything has a default.
    ///
    /// - Parameters:
    ///   - baseURL: where the paths of targets without a base URL of their own begin.
    ///   - endpointClosure: makes an endpoint of a target; called once per request, on the caller's thread.
    ///   - requestClosure: makes a request of an endpoint; the last word on it before plugins. May answer later.
    ///   - stubClosure: says whether a target is stubbed; called once per request, on the caller's thread.
    ///   - callbackQueue: where results are delivered; nil means where they arise: immediate stubs before `request`
    ///     returns, delayed ones on `scheduler`, answers of a server on a background queue, never on the main queue.
    ///   - transport: the engine; the platform's default if nil.
    ///   - plugins: called in this order.
    ///   - timeouts: how long requests may take.
    ///   - scheduler: the clock of stub delays and timeouts; a test gives a virtual one.
    public init(
        baseURL: URL? = nil,
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: (any Scheduler)? = nil,
        transport: (any Transport)? = nil,
        plugins: [any PluginType] = [],
        timeouts: Timeouts = Timeouts(),
        scheduler: any Scheduler = .background
    ) {
        self.baseURL = baseURL
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.transport = transport ?? DefaultTransport.shared
        self.plugins = plugins
        self.timeouts = timeouts
        self.scheduler = scheduler
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - target: what to call.
    ///   - callbackQueue: where progress and result are delivered; the provider's if nil.
    ///   - progress: told how far the answer has come; its last call, right before `completion`, has the response.
    ///   - completion: told the outcome, exactly once. An answer with any status code is a success, unless the target's
    ///     validation says otherwise. A cancel is a failure of the kind `cancelled`.
    /// - Returns: the way to cancel. Dropping it does not.
    @discardableResult
    public func request(
        _ target: Target, callbackQueue: (any Scheduler)? = nil, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        let call = Call(
            self, target, callbackQueue: callbackQueue ?? self.callbackQueue, progress: progress,
            completion: completion)
        call.start()
        return call
    }

    /// The endpoint of a target, its URL made absolute with the provider's base URL.
    public func endpoint(_ target: Target) -> Endpoint {
        endpointClosure(target).resolved(against: baseURL)
    }

    /// Without an endpoint closure: the target's own URL, method, task and headers, and status 200 with its sample data.
    public static func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(target.unwrapped)
    }

    /// Without a request closure: the endpoint's own request, at once.
    public static func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        do throws(MoyaError) {
            closure(.success(try endpoint.urlRequest()))
        } catch {
            closure(.failure(error))
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Sends a request for a target of any type; see `request`.
    @discardableResult
    public func request(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        request(MultiTarget(target), callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}
