public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The options of a provider, each with its default.
///
/// ```swift
/// var configuration = ProviderConfiguration()
/// configuration.plugins = [NetworkLoggerPlugin()]
/// configuration.timeouts.total = .seconds(30)
/// let users = MoyaProvider<Users>(configuration: configuration)
/// let orders = MoyaProvider<Orders>(configuration: configuration)
/// ```
public struct ProviderConfiguration: Sendable {
    /// Receives the request that was made of an endpoint, or the reason why none could be made.
    ///
    /// To be called once, from any thread; later calls are ignored.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void
    /// Makes a request of an endpoint, at once or later.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// The URL that the paths of targets without a base URL of their own are appended to.
    ///
    /// Defaults to `nil`.
    public var baseURL: URL?
    /// Makes a request of an endpoint, before interceptors and plugins.
    ///
    /// Defaults to `nil`: the endpoint's own request.
    /// It may call back later; a request that is cancelled meanwhile ends at once.
    public var requestClosure: RequestClosure?
    /// The scheduler that delivers progress and results.
    ///
    /// Defaults to `nil`.
    /// If `nil`, callbacks run on the thread that produces them: those of immediate stubs before `request` returns, those of
    /// delayed stubs on `scheduler`, and those of a server's responses on a background queue, never on the main queue.
    public var callbackQueue: (any Scheduler)?
    /// The transport.
    ///
    /// Defaults to the platform's: ``CurlTransport`` on Linux, ``URLSessionTransport`` elsewhere.
    public var transport: any Transport
    /// The plugins, in the order in which they are called.
    ///
    /// Defaults to none.
    public var plugins: [any PluginType]
    /// The interceptors, in the order in which they are called.
    ///
    /// Defaults to none.
    public var interceptors: [any RequestInterceptor]
    /// Whether a request joins an equal one that is in flight.
    ///
    /// Defaults to `false`.
    /// Equal requests have the same method, a safe one, the same URL, header fields, content, credential and validation. They
    /// are compared when the request closure has made the request; plugins prepare it once more for the comparison, and
    /// interceptors return their ``RequestInterceptor/sharingKey(for:)``. Requests that would differ on the wire are never
    /// joined. Each call has its own progress, queue and cancel; the last cancel ends the exchange.
    public var trackInflights: Bool
    /// What is done about redirects, unless the target's options say.
    ///
    /// Defaults to ``RedirectPolicy/follow``.
    public var redirects: RedirectPolicy
    /// The jar that holds the cookies.
    ///
    /// Defaults to `nil`: servers cannot set cookies.
    public var cookies: CookieJar?
    /// The header fields of every request that does not have them.
    ///
    /// Defaults to ``HTTPHeaders/default``.
    public var defaultHeaders: HTTPHeaders
    /// The most of a response that is held in memory, in bytes, decompressed.
    ///
    /// Defaults to `nil`: no limit.
    /// A larger response is a failure of the kind `badResponse`. It does not apply to downloads to files and to streams.
    public var maximumResponseSize: Int?
    /// How long requests may take, unless the target's options say.
    public var timeouts: Timeouts
    /// The clock of stub delays, retries and timeouts.
    ///
    /// Defaults to a background queue; a test passes a virtual one.
    public var scheduler: any Scheduler
    /// How typed calls decode the content of responses.
    public var decoding: ResponseDecoding
    /// The observers, which receive the events of all calls.
    ///
    /// Defaults to none: then events cost nothing.
    public var observers: [any CallObserver]
    /// Captures the context of a call, which ``TransportRequest/callContext`` hands to transports and ``CallEvent/context`` to
    /// observers.
    ///
    /// Defaults to ``TraceContext/current``.
    /// It is called once for each call, on the caller's thread and in its task: values of task-local variables are not available
    /// later. A stream captures the context of its subscriber. Calls that share a request in flight send the context of the first
    /// one.
    public var callContext: @Sendable (any RelativeTarget) -> (any Sendable)? = { _ in TraceContext.current }

    /// A configuration; each parameter is described at the property of its name.
    public init(
        baseURL: URL? = nil, requestClosure: RequestClosure? = nil, callbackQueue: (any Scheduler)? = nil,
        transport: (any Transport)? = nil, plugins: [any PluginType] = [],
        interceptors: [any RequestInterceptor] = [], trackInflights: Bool = false,
        redirects: RedirectPolicy = .follow, cookies: CookieJar? = nil, defaultHeaders: HTTPHeaders = .default,
        maximumResponseSize: Int? = nil, timeouts: Timeouts = Timeouts(), scheduler: any Scheduler = .background,
        decoding: ResponseDecoding = ResponseDecoding(), observers: [any CallObserver] = []
    ) {
        self.baseURL = baseURL
        self.requestClosure = requestClosure
        self.callbackQueue = callbackQueue
        self.transport = transport ?? DefaultTransport.shared
        self.plugins = plugins
        self.interceptors = interceptors
        self.trackInflights = trackInflights
        self.redirects = redirects
        self.cookies = cookies
        self.defaultHeaders = defaultHeaders
        self.maximumResponseSize = maximumResponseSize
        self.timeouts = timeouts
        self.scheduler = scheduler
        self.decoding = decoding
        self.observers = observers
    }
}
