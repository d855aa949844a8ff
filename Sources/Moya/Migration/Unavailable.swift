// Unavailable stand-ins for declarations of Moya 15, Alamofire and Get; the messages of the compiler name the
// replacements.

extension MoyaProvider {
    /// Not available: there is no session.
    @available(
        *, unavailable,
        message: """
            there is no Session: pass transport: (URLSessionTransport, CurlTransport), timeouts: for its time-outs, \
            interceptors: for its adapters and retriers, and ServerTrustPolicy for its trust manager
            """
    )
    public convenience init(
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: RequestClosure? = nil, stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: (any Scheduler)? = nil, session: Any, plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.init()
    }

    /// Not available: there is no session manager.
    @available(
        *, unavailable,
        message: """
            there is no session manager: pass transport: (URLSessionTransport, CurlTransport), timeouts: for its \
            time-outs, interceptors: for its adapters and retriers, and ServerTrustPolicy for its trust manager
            """
    )
    public convenience init(
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: RequestClosure? = nil, stubClosure: @escaping StubClosure = MoyaProvider.neverStub,
        callbackQueue: (any Scheduler)? = nil, manager: Any, plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) {
        self.init()
    }

    /// Not available: the `async` methods are `response(_:)` and `value(_:)`.
    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func request(_ target: Target) async throws(MoyaError) -> Response { throw .cancelled }

    /// Not available: the `async` methods are `response(_:)` and `value(_:)`.
    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func send(_ target: Target) async throws(MoyaError) -> Response { throw .cancelled }

    /// Not available: the sequence of `events(_:as:)` ends with its response.
    @available(
        *, unavailable,
        message: "import MoyaStreams and iterate requestEvents(_:as:reconnecting:on:).values, which connects again"
    )
    public func events<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, reconnecting policy: RetryPolicy
    ) -> ValueSequence<Value> { events(target, as: type) }

    /// Not available: the provider itself has the streams.
    @available(
        *, unavailable,
        message: """
            import MoyaStreams, where the provider itself has the streams: provider.request(_:) and \
            provider.requestWithProgress(_:); or import RxMoyaCompatibility, which has rx
            """
    )
    public var rx: MoyaProvider { self }

    /// Not available: the provider itself has the streams.
    @available(
        *, unavailable,
        message: """
            import MoyaStreams, where the provider itself has the streams: provider.request(_:) and \
            provider.requestWithProgress(_:)
            """
    )
    public var reactive: MoyaProvider { self }
}

extension RequestInterceptor where Self == RetryInterceptor {
    /// Not available: `retry(times: 3)` has a label, because it counts repetitions, and RxSwift's `retry(3)` counts all
    /// attempts.
    @available(*, unavailable, message: "use .retry(times: 3): three repetitions after the first attempt")
    public static func retry(_ times: Int) -> RetryInterceptor { RetryInterceptor(RetryPolicy(times: times)) }
}

extension RetryPolicy {
    /// Not available: the number of repetitions is the parameter `times`.
    @available(
        *, unavailable,
        message: "use RetryPolicy(times: 3), or .retry(times: 3) as an interceptor; .exponential(…) has all options"
    )
    public init(
        retryLimit: UInt, exponentialBackoffBase: UInt = 2, exponentialBackoffScale: Double = 0.5
    ) {
        self.init(times: Int(clamping: retryLimit))
    }
}

extension AuthenticationInterceptor {
    /// Not available: the interceptor has closures in place of an authenticator.
    @available(
        *, unavailable,
        message: """
            there is no Authenticator: pass its methods as the closures apply:, isStale:, isRefused: and refresh:, or \
            use .bearer(token:refresh:)
            """
    )
    public convenience init(authenticator: Any, credential: Credential?) {
        self.init(credential: credential, apply: { _, _ in }, refresh: { $0 })
    }
}
