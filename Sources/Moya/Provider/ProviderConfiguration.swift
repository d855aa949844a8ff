public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The options of a provider; every option has a default.
///
/// ```swift
/// var configuration = ProviderConfiguration()
/// configuration.plugins = [NetworkLoggerPlugin()]
/// configuration.timeouts.total = .seconds(30)
/// let users = MoyaProvider<Users>(configuration: configuration)
/// let orders = MoyaProvider<Orders>(configuration: configuration)
/// ```
public struct ProviderConfiguration: Sendable {
    /// Receives the request of an endpoint, or the error if none could be created.
    ///
    /// Call it once, on any thread; later calls are ignored.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void
    /// Creates the request of an endpoint and passes it to the given closure, at once or later.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// The base URL of targets that have none of their own; their paths are appended to it.
    ///
    /// Defaults to `nil`.
    public var baseURL: URL?
    /// Creates the request of an endpoint, before interceptors and plugins.
    ///
    /// Defaults to `nil`: the endpoint's own request. The closure may call back later; a request that is cancelled
    /// meanwhile ends at once.
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
    /// Requests are equal if they have the same safe method and the same URL, header fields, content, credential and
    /// validation. They are compared after the request closure: plugins prepare each request once more for the
    /// comparison, and interceptors contribute their ``RequestInterceptor/sharingKey(for:)``. Requests that would
    /// differ on the wire never join. Each call has its own progress, queue and cancel; cancelling the last call ends
    /// the exchange.
    public var trackInflights: Bool
    /// The policy for redirects, unless the target's options specify one.
    ///
    /// Defaults to ``RedirectPolicy/follow``.
    public var redirects: RedirectPolicy
    /// The jar that holds the cookies.
    ///
    /// Defaults to `nil`: servers cannot set cookies.
    public var cookies: CookieJar?
    /// The header fields that are added to requests that lack them.
    ///
    /// Defaults to ``HTTPHeaders/default``.
    public var defaultHeaders: HTTPHeaders
    /// The maximum size of a response in memory, in bytes after decompression.
    ///
    /// Defaults to `nil`: no limit.
    /// A larger response is a failure of the kind `badResponse`. The limit does not apply to downloads to files and to
    /// streams.
    public var maximumResponseSize: Int?
    /// The time limits of requests, unless the target's options specify others.
    public var timeouts: Timeouts
    /// The clock of stub delays, retries and timeouts.
    ///
    /// Defaults to a background queue; tests pass a virtual scheduler.
    public var scheduler: any Scheduler
    /// The rules by which typed calls decode the content of responses.
    public var decoding: ResponseDecoding
    /// The observers, which receive the events of all calls.
    ///
    /// Defaults to none. Without observers, no events are created.
    public var observers: [any CallObserver]
    /// Returns the context of a call, which transports receive as ``TransportRequest/callContext`` and observers as
    /// ``CallEvent/context``.
    ///
    /// Defaults to ``TraceContext/current``.
    /// It is called once for each call, on the caller's thread and in its task, where task-local values are available. A stream
    /// captures the context of its subscriber. If several calls share an in-flight request, transports receive the context of
    /// the first call.
    public var callContext: @Sendable (any RelativeTarget) -> (any Sendable)? = { _ in TraceContext.current }

    /// Creates a configuration; each parameter sets the property of its name.
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
