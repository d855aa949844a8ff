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
    public var transport: any Transport { equipment.transport }
    /// The plugins, in their order.
    public var plugins: [any PluginType] { equipment.plugins }
    /// Called around each attempt, in their order.
    public var interceptors: [any RequestInterceptor] { equipment.interceptors }
    /// Whether a request with a safe method takes part in one like it that is in flight.
    public let trackInflights: Bool
    /// What is done about redirects, unless the target says otherwise.
    public var redirects: RedirectPolicy { equipment.redirects }
    /// The cookies; nil: there are none.
    public var cookies: CookieJar? { equipment.cookies }
    /// The header fields of every request that does not have them.
    public var defaultHeaders: HTTPHeaders { equipment.defaultHeaders }
    /// How much of an answer is kept in memory at most, in bytes, unless the target says otherwise.
    public var maximumResponseSize: Int? { equipment.maximumResponseSize }
    /// How long requests may take, unless the target says otherwise.
    public var timeouts: Timeouts { equipment.timeouts }
    /// The clock of stub delays and timeouts.
    public var scheduler: any Scheduler { equipment.scheduler }

    /// How typed calls decode the content of responses.
    public let decoding: ResponseDecoding

    let flights = Flights()
    private let equipment: Equipment
    /// Makes an endpoint of a target and what the call says, see ``request(_:method:parameters:completion:)``.
    let endpointsClosure: EndpointsClosure?

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
    ///   - interceptors: called around each attempt, in this order.
    ///   - trackInflights: whether a request takes part in an equal one that is in flight: of the same method, a safe one, the
    ///     same URL, header fields, content, credential and validation. The comparison begins when `requestClosure` has made
    ///     the request; plugins prepare it once more for it, and interceptors are asked for their
    ///     ``RequestInterceptor/sharingKey(for:)``. Requests that would differ on the wire are never joined. Each call has
    ///     its own progress, queue and cancel; the last cancel ends the exchange.
    ///   - redirects: what is done about them.
    ///   - cookies: where cookies are kept; nil: servers can set none.
    ///   - defaultHeaders: the header fields of every request that does not have them; see ``HTTPHeaders/default``.
    ///   - maximumResponseSize: how much of an answer is kept in memory at most, in bytes, decompressed; a larger one is a
    ///     failure of the kind `badResponse`. Nil: there is no limit. Downloads to files and streams are not concerned.
    ///   - timeouts: how long requests may take.
    ///   - scheduler: the clock of stub delays, retries and timeouts; a test gives a virtual one.
    ///   - decoding: how typed calls decode the content of responses.
    public convenience init(
        baseURL: URL? = nil,
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: (any Scheduler)? = nil,
        transport: (any Transport)? = nil,
        plugins: [any PluginType] = [],
        interceptors: [any RequestInterceptor] = [],
        trackInflights: Bool = false,
        redirects: RedirectPolicy = .follow,
        cookies: CookieJar? = nil,
        defaultHeaders: HTTPHeaders = .default,
        maximumResponseSize: Int? = nil,
        timeouts: Timeouts = Timeouts(),
        scheduler: any Scheduler = .background,
        decoding: ResponseDecoding = ResponseDecoding()
    ) {
        self.init(
            baseURL: baseURL, endpointClosure: endpointClosure, endpointsClosure: nil, requestClosure: requestClosure,
            stubClosure: stubClosure, callbackQueue: callbackQueue, transport: transport, plugins: plugins,
            interceptors: interceptors, trackInflights: trackInflights, redirects: redirects,
            cookies: cookies, defaultHeaders: defaultHeaders, maximumResponseSize: maximumResponseSize,
            timeouts: timeouts, scheduler: scheduler, decoding: decoding)
    }

    init(
        baseURL: URL?, endpointClosure: @escaping EndpointClosure, endpointsClosure: EndpointsClosure?,
        requestClosure: @escaping RequestClosure, stubClosure: @escaping StubClosure, callbackQueue: (any Scheduler)?,
        transport: (any Transport)?, plugins: [any PluginType], interceptors: [any RequestInterceptor],
        trackInflights: Bool, redirects: RedirectPolicy, cookies: CookieJar?,
        defaultHeaders: HTTPHeaders, maximumResponseSize: Int?, timeouts: Timeouts, scheduler: any Scheduler,
        decoding: ResponseDecoding
    ) {
        self.decoding = decoding
        self.baseURL = baseURL
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        self.callbackQueue = callbackQueue
        self.trackInflights = trackInflights
        self.endpointsClosure = endpointsClosure
        equipment = Equipment(
            transport: transport ?? DefaultTransport.shared, plugins: plugins, interceptors: interceptors,
            timeouts: timeouts, redirects: redirects, cookies: cookies, defaultHeaders: defaultHeaders,
            maximumResponseSize: maximumResponseSize, scheduler: scheduler)
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
        send(target, endpoint(target), callbackQueue: callbackQueue, progress: progress, completion: completion)
    }

    /// Cancels all requests that are in flight; those that begin later are not concerned.
    public func cancelAll() {
        flights.cancelAll()
    }

    /// - Parameters:
    ///   - parts: takes the answer as it arrives, if somebody does.
    ///   - isHandedOver: `completion` runs no code of others, and may be called on any thread.
    func send(
        _ target: Target, _ endpoint: Endpoint, callbackQueue: (any Scheduler)?, parts: Parts? = nil,
        isHandedOver: Bool = false, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any TransportExchange {
        let behavior = stubClosure(target)
        let target = target.unwrapped
        TargetCheck.check(target)
        let call = Call(
            target, plugins: plugins, callbackQueue: callbackQueue ?? self.callbackQueue, parts: parts,
            progress: progress, completion: completion)
        let flight = Flight(
            Flight.Plan(
                target: target, endpoint: endpoint, behavior: behavior,
                isShared: parts == nil && isShared(target, endpoint, behavior), isHandedOver: isHandedOver,
                parts: call.parts, equipment: equipment, requestClosure: { [self] in requestClosure($0, $1) }),
            for: call, known: flights)
        flight.start()
        return call
    }

    /// Whether a request may take part in one like it, as far as that is known before it is made.
    private func isShared(_ target: any RelativeTarget, _ endpoint: Endpoint, _ behavior: StubBehavior) -> Bool {
        (target.options.sharesInflight ?? (trackInflights && endpoint.method.isSafe)) && endpoint.task.download == nil
            && behavior == behavior  // A delay that is not a number differs from itself.
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
