// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch
public import Foundation

// Unavailable stand-ins for declarations of the libraries Moya 15, Alamofire and Get. The compiler's error messages
// name the replacements.

extension MoyaProvider {
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
        callbackQueue: (any Scheduler)? = nil, session: Any? = nil, manager: Any? = nil,
        plugins: [any PluginType] = [], trackInflights: Bool = false
    ) { self.init(configuration: ProviderConfiguration()) }

    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func request(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) async throws -> Response where Target: AwaitResponseInstead { throw MoyaError.cancelled }

    @available(*, unavailable, message: "await response(_:progress:)")
    public func request(_ target: Target, progress: @escaping ProgressBlock) async throws -> Response {
        throw MoyaError.cancelled
    }

    @available(*, unavailable, message: "import MoyaStreams for its stream, or pass progress: to request and response")
    public func requestWithProgress(_ target: Target) -> ImportMoyaStreamsOrRxMoyaCompatibility { .init() }

    @available(*, unavailable, message: "import MoyaCombine for the publisher, or MoyaStreams for a stream")
    public func requestPublisher(_ target: Target) -> ImportMoyaCombine { .init() }

    @available(*, unavailable, renamed: "value(_:as:)")
    public func response<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type
    ) async throws(MoyaError) -> Value { throw .cancelled }

    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func send(_ target: Target) async throws(MoyaError) -> Response { throw .cancelled }

    @available(
        *, unavailable,
        message: "import MoyaStreams and iterate requestEvents(_:as:reconnecting:on:).values, which connects again"
    )
    public func events<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, reconnecting policy: RetryPolicy
    ) -> ValueSequence<Value> { events(target, as: type) }

    @available(
        *, unavailable,
        message: """
            import MoyaStreams, where the provider itself has the streams: provider.request(_:) and \
            provider.requestWithProgress(_:); or import RxMoyaCompatibility, which has rx
            """
    )
    public var rx: ImportMoyaStreamsOrRxMoyaCompatibility { .init() }

    @available(*, unavailable, message: "import MoyaStreams, where the provider itself has the streams")
    public var reactive: ImportMoyaStreamsOrRxMoyaCompatibility { .init() }
}

// The compiler names these types if a chain follows, because it looks for mistakes in the chain first.
@available(*, unavailable, message: "import MoyaStreams or RxMoyaCompatibility")
public struct ImportMoyaStreamsOrRxMoyaCompatibility {}

@available(*, unavailable, message: "import MoyaCombine, or MoyaStreams")
public struct ImportMoyaCombine {}

extension MoyaProvider {
    @available(*, unavailable, renamed: "configuration.plugins")
    public var plugins: [any PluginType] { configuration.plugins }

    @available(*, unavailable, message: "there is no Session; cancelAll() of the provider cancels its requests")
    public var session: Session { Session() }

    @available(*, unavailable, message: "there is no Session: leave it out, or pass transport: and interceptors:")
    public static func defaultAlamofireSession() -> Session { Session() }

    @available(*, unavailable, message: "pass trackInflights: true; a CallObserver sees the running requests")
    public var inflightRequests: [Endpoint: [Completion]] { [:] }
}

// A call that has nothing wrong but this requirement: so the compiler names it if only Moya is imported, and looks for
// mistakes in streams if MoyaStreams is imported, too.
@available(*, unavailable, message: "await response(_:) of the provider")
public protocol AwaitResponseInstead {}

extension Scheduler where Self == DispatchScheduler {
    @available(*, unavailable, message: "use .background, or a DispatchQueue of your own")
    public static var global: DispatchScheduler { .background }

    @available(*, unavailable, message: "use .serial(label:), or a DispatchQueue of your own")
    public static var serial: DispatchScheduler { .background }

    @available(*, unavailable, message: "use .background, or a DispatchQueue of your own")
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchScheduler { .background }
}

@available(
    *, unavailable,
    message: "use MoyaProvider; in tests, pass a provider with stubs, as in .stubbed { _ in .status(200) }"
)
public protocol MoyaProviderType {}

extension RequestInterceptor where Self == RetryInterceptor {
    @available(*, unavailable, message: "use .retry(times: 3): three repetitions after the first attempt")
    public static func retry(_ times: Int) -> RetryInterceptor { RetryInterceptor(RetryPolicy(times: times)) }

    @available(*, unavailable, message: "use .retry(.constant(.seconds(1), times: 3))")
    public static func retry(times: Int, delay: Duration) -> RetryInterceptor { .retry(times: times) }

    @available(*, unavailable, message: "use .retry(times: 3): three repetitions after the first attempt")
    public static var retry: RetryInterceptor { RetryInterceptor(RetryPolicy(times: 0)) }
}

extension RetryPolicy {
    @available(
        *, unavailable,
        message: "use RetryPolicy(times: 3), or .retry(times: 3) as an interceptor; .exponential(…) has all options"
    )
    public init(
        retryLimit: UInt, exponentialBackoffBase: UInt = 2, exponentialBackoffScale: Double = 0.5,
        retryableHTTPMethods: Any? = nil, retryableHTTPStatusCodes: Any? = nil, retryableURLErrorCodes: Any? = nil
    ) {
        self.init(times: Int(clamping: retryLimit))
    }
}

extension AuthenticationInterceptor {
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

extension RequestInterceptor where Self == AuthenticationInterceptor<String> {
    @available(*, unavailable, message: "pass the token itself, as in .bearer(token: store.token) { … refresh … }")
    public static func bearer(
        token: () async throws -> String?, hosts: Set<String>? = nil,
        refresh: () async throws -> String = { "" }
    ) -> AuthenticationInterceptor<String> {
        AuthenticationInterceptor(credential: "", apply: { _, _ in }, refresh: { $0 })
    }

    @available(*, unavailable, message: "pass the token itself, as in .bearer(token: store.token) { … refresh … }")
    public static var bearer: AuthenticationInterceptor<String> {
        AuthenticationInterceptor(credential: "", apply: { _, _ in }, refresh: { $0 })
    }
}

extension Cancellable {
    @available(*, unavailable, message: "leave it out: the provider has already sent the request")
    public func resume() {}
}

extension EndpointSampleResponse {
    @available(*, unavailable, message: "use .status(200, data), with the JSON as Data")
    public static func json(_ value: Any) -> EndpointSampleResponse { .status(200) }

    @available(*, unavailable, renamed: "networkError(_:)")
    public static func failure(_ error: any Error) -> EndpointSampleResponse { .networkError(error) }

    @available(*, unavailable, message: "use .status(200, data)")
    public static func success(_ data: Data) -> EndpointSampleResponse { .status(200) }
}

extension NetworkLoggerPlugin {
    @available(*, unavailable, message: "use NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))")
    public init(
        verbose: Bool = false, cURL: Bool = false, output: Any? = nil, requestDataFormatter: Any? = nil,
        responseDataFormatter: Any? = nil
    ) {
        self.init()
    }
}

extension RequestType {
    @available(*, unavailable, message: "pass a CredentialsPlugin to the provider")
    public func authenticate(username: String, password: String, persistence: Any? = nil) -> RequestType { self }

    @available(*, unavailable, message: "pass a CredentialsPlugin to the provider")
    public func authenticate(with credential: Any) -> RequestType { self }

    @available(*, unavailable, message: "there are no fields of a session: use request, which has all fields")
    public var sessionHeaders: [String: String] { [:] }

    @available(*, unavailable, message: "cURLDescription() returns the text")
    public func cURLDescription(calling handler: (String) -> Void) -> RequestType { self }
}
