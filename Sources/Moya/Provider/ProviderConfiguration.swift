public import Foundation

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
    /// Receives the request of an endpoint, or the error if the request could not be created.
    ///
    /// Call the closure once, on any thread; later calls are ignored.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, MoyaError>) -> Void
    /// Creates the request of an endpoint and passes it to the given closure, at once or later.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void

    /// The base URL, to which the path of a target without a base URL of its own is appended; `nil` by default.
    public var baseURL: URL?
    /// Creates the request of an endpoint, before interceptors and plugins adapt it.
    ///
    /// Defaults to `nil`: the endpoint creates its request. The closure may return before it delivers the request. A
    /// call that is cancelled before the delivery ends at once.
    public var requestClosure: RequestClosure?
    /// The scheduler that delivers progress and results.
    ///
    /// Defaults to `nil`: callbacks run on the thread that produces their values. For an immediate stub, they run
    /// before `request` returns; for a delayed stub, on ``scheduler``; for a response of a server, on a background
    /// queue.
    public var callbackQueue: (any Scheduler)?
    /// The transport that sends the requests; ``PlatformTransport`` by default.
    public var transport: any Transport
    /// The plugins, in the order in which they are called; none by default.
    public var plugins: [any PluginType]
    /// The interceptors, in the order in which they are called; none by default.
    public var interceptors: [any RequestInterceptor]
    /// Whether equal requests with a safe method share one exchange while it is in flight.
    ///
    /// Defaults to `false`. Downloads to files and streamed responses are never shared.
    ///
    /// Equal requests have the same method, URL, header fields, content, credential, validation and options, after
    /// the request closure and the plugins have prepared them. For the comparison, plugins prepare each request once
    /// more. The ``RequestInterceptor/sharingKey(for:)`` of each interceptor must be equal, too, and not `nil`.
    ///
    /// Each call has its own progress and callback queue, and is cancelled separately. The exchange is cancelled only
    /// when all its calls are cancelled.
    public var trackInflights: Bool
    /// The policy for redirects, unless the target's options specify one; ``RedirectPolicy/follow`` by default.
    public var redirects: RedirectPolicy
    /// The jar that stores cookies and adds them to requests; by default `nil`, so that servers cannot set cookies.
    public var cookies: CookieJar?
    /// The header fields that are added to requests that lack them; ``HTTPHeaders/default`` by default.
    public var defaultHeaders: HTTPHeaders
    /// The maximum size of response content in memory, in bytes after decompression; `nil` for no limit.
    ///
    /// Defaults to 256 MiB, so that a compression bomb ends as an error instead of filling the memory.
    /// A request with a larger response fails with an error of the kind `badResponse`.
    ///
    /// Downloads to files and streamed responses may have any length. Of a stream that is delivered to a closure or an
    /// `Observable`, without a window, reading pauses while this number of bytes (at least 256 KiB) waits for the
    /// receiver to return. A transport that cannot pause may fail the request instead, see
    /// ``TransportRequest/Delivery/chunks(window:)``.
    public var maximumResponseSize: Int?
    /// The time limits of requests, unless the target's options specify others.
    public var timeouts: Timeouts
    /// The scheduler that measures the delays of stubs and retries, and the timeouts.
    ///
    /// Defaults to `.background`; tests pass a virtual scheduler. With the default, only delayed stubs use the queue of
    /// `.background`. Deadlines, retries and decoding run on a concurrent queue, so that your work on `.background`
    /// does not delay them. Any other scheduler runs all of them.
    public var scheduler: any Scheduler
    /// The rules by which typed calls, such as `value(_:)`, decode the content of responses.
    public var decoding: ResponseDecoding
    /// The observers, which receive the events of all calls; none by default, so that no events are created.
    public var observers: [any CallObserver]
    /// Returns the context of a call, such as its trace, for transports and observers.
    ///
    /// Defaults to ``TraceContext/current``. Transports receive the context as ``TransportRequest/callContext``.
    /// Observers receive the context as ``CallEvent/context``. The closure is called once for each call, in the
    /// caller's task, so that it can read task-local values. A stream sends a request at each subscription, so the
    /// closure reads the task-local values of the subscriber. If several calls share an in-flight request, transports
    /// receive the context of the first call.
    public var callContext: @Sendable (any RelativeTarget) -> (any Sendable)? = { _ in TraceContext.current }

    /// Creates a configuration; each parameter sets the property of the same name.
    public init(
        baseURL: URL? = nil, requestClosure: RequestClosure? = nil, callbackQueue: (any Scheduler)? = nil,
        transport: (any Transport)? = nil, plugins: [any PluginType] = [],
        interceptors: [any RequestInterceptor] = [], trackInflights: Bool = false,
        redirects: RedirectPolicy = .follow, cookies: CookieJar? = nil, defaultHeaders: HTTPHeaders = .default,
        maximumResponseSize: Int? = 256 << 20, timeouts: Timeouts = Timeouts(), scheduler: any Scheduler = .background,
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

package enum DefaultTransport {
    #if os(Linux)
        package static var shared: any Transport {
            do {
                return try CurlTransport.makeShared()
            } catch {
                // URLSession has other faults on Linux: it is used only if it was chosen.
                return StubTransport { _ in .networkError(error) }
            }
        }
    #else
        package static let shared: any Transport = URLSessionTransport.shared
    #endif
}

#if os(Linux)
    /// The transport of the platform: ``CurlTransport`` on Linux, `URLSessionTransport` elsewhere.
    public typealias PlatformTransport = CurlTransport
#else
    /// The transport of the platform: `CurlTransport` on Linux, ``URLSessionTransport`` elsewhere.
    public typealias PlatformTransport = URLSessionTransport
#endif

extension Transport where Self == PlatformTransport {
    /// Creates the transport of the platform with a trust policy and a proxy.
    ///
    /// ```swift
    /// let provider = MoyaProvider<Shop>(transport: try .platform(trust: ServerTrustPolicy(pins: pins)))
    /// ```
    /// - Parameters:
    ///   - trust: the servers that the transport trusts.
    ///   - proxy: the proxy that the transport uses.
    /// - Throws: ``TransportError/invalid(_:)`` if a policy is malformed or the transport cannot enforce it, and
    ///   ``TransportError/unavailable(_:)`` if libcurl is not installed.
    public static func platform(
        trust: ServerTrustPolicy = .system, proxy: ProxyPolicy = .environment
    ) throws(TransportError) -> Self {
        try Self(trust: trust, proxy: proxy)
    }
}
