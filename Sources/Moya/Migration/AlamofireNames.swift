// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Unavailable stand-ins for the entry points of Alamofire. The compiler's error messages name the replacements. An
// unavailable type does not hide an available type of the same name: in a file that also imports Alamofire, `AF` is
// Alamofire's type.

@available(
    *, unavailable,
    message:
        "declare the request as a target, and send it with MoyaProvider: request(_:completion:), response(_:) or value(_:)"
)
public struct AF {
    public struct Outcome<Value> {
        public var result: Result<Value, MoyaError> { .failure(.cancelled) }
        public var value: Value? { nil }
        public var error: MoyaError? { nil }
        public var data: Data? { nil }
        public var response: HTTPURLResponse? { nil }
        public var request: URLRequest? { nil }
        public var fileURL: URL? { nil }
        public var metrics: TransportMetrics? { nil }
    }

    public struct Form {
        public func append(_ content: Any, withName name: String, fileName: String? = nil, mimeType: String? = nil) {}
    }

    public static var sessionConfiguration: URLSessionConfiguration { .default }
    public static func request(
        _ url: Any, method: HTTPMethod = .get, parameters: Any? = nil, encoding: Any? = nil,
        encoder: ParameterEncoder? = nil, headers: HTTPHeaders? = nil, interceptor: Any? = nil,
        requestModifier: ((inout URLRequest) throws -> Void)? = nil
    ) -> AF { AF() }
    public static func download(
        _ url: Any, method: HTTPMethod = .get, parameters: Any? = nil, encoding: Any? = nil,
        encoder: ParameterEncoder? = nil, headers: HTTPHeaders? = nil, interceptor: Any? = nil,
        to destination: Any? = nil
    ) -> AF { AF() }
    public static func cancelAllRequests() {}
    public static func upload(
        _ content: Any, to url: Any, method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
        interceptor: Any? = nil
    ) -> AF { AF() }
    public static func upload(
        multipartFormData: (Form) -> Void, to url: Any, method: HTTPMethod = .post, headers: HTTPHeaders? = nil,
        interceptor: Any? = nil
    ) -> AF { AF() }
    public static func streamRequest(_ url: Any) -> AF { AF() }
    public func authenticate(username: String, password: String) -> AF { self }
    public func authenticate(with credential: URLCredential) -> AF { self }
    public func redirect(using handler: Redirector) -> AF { self }
    public func cacheResponse(using handler: ResponseCacher) -> AF { self }
    public func publishDecodable<Value: Decodable>(type: Value.Type) -> AF { self }
    public func value() -> AF { self }
    public func validate(_ validation: (URLRequest?, HTTPURLResponse, Data?) -> Result<Void, any Error>) -> AF { self }
    public func validate() -> AF { self }
    public func validate<Codes: Sequence>(statusCode: Codes) -> AF where Codes.Element == Int { self }
    public func validate(contentType: [String]) -> AF { self }
    public func uploadProgress(closure: (Progress) -> Void) -> AF { self }
    public func downloadProgress(closure: (Progress) -> Void) -> AF { self }
    public func cURLDescription(calling handler: (String) -> Void) -> AF { self }
    public func responseDecodable<Value: Decodable>(
        of type: Value.Type = Value.self, queue: DispatchQueue = .main, decoder: Any? = nil,
        emptyResponseCodes: Set<Int> = [],
        completionHandler: (Outcome<Value>) -> Void
    ) {}
    public func response(queue: DispatchQueue = .main, completionHandler: (Outcome<Data>) -> Void) {}
    public func responseJSON(queue: DispatchQueue = .main, completionHandler: (Outcome<JSONValue>) -> Void) {}
    public func responseString(
        queue: DispatchQueue = .main, encoding: String.Encoding? = nil,
        completionHandler: (Outcome<String>) -> Void
    ) {}
    public func responseData(queue: DispatchQueue = .main, completionHandler: (Outcome<Data>) -> Void) {}
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type, decoder: Any? = nil
    ) -> Awaited<Value> { Awaited() }
    public func serializingData() -> Awaited<Data> { Awaited() }
    public func serializingDownloadedFileURL() -> Awaited<URL> { Awaited() }
    public func responseURL(completionHandler: (Outcome<URL>) -> Void) {}
    public func responseStream(on queue: DispatchQueue = .main, stream: (Any) -> Void) {}
    public func responseStreamString(on queue: DispatchQueue = .main, stream: (Any) -> Void) {}
    public func serializingString() -> Awaited<String> { Awaited() }

    public struct Awaited<Value: Sendable> {
        public var value: Value { get async throws { throw MoyaError.cancelled } }
        public var result: Result<Value, MoyaError> { get async { .failure(.cancelled) } }
        public var response: Outcome<Value> { get async { Outcome() } }
    }
}

@available(*, unavailable, message: "use RetryDecision in a RequestInterceptor, or retry in an AsyncInterceptor")
public enum RetryResult {
    case retry, retryWithDelay(Double), doNotRetry, doNotRetryWithError(any Error)
}

@available(
    *, unavailable,
    message: """
        there is no Session: pass transport:, timeouts: and interceptors: to the MoyaProvider; an interceptor is an \
        AsyncInterceptor(adapt:retry:)
        """
)
public final class Session: Sendable {
    public static var `default`: Session { Session() }
    public func cancelAllRequests() {}
    public func request(_ url: Any, method: HTTPMethod = .get, parameters: Any? = nil) -> AF { AF() }
    public init(
        configuration: URLSessionConfiguration = .default, startRequestsImmediately: Bool = true,
        interceptor: Any? = nil, serverTrustManager: Any? = nil, redirectHandler: Any? = nil,
        cachedResponseHandler: Any? = nil,
        eventMonitors: [Any] = []
    ) {}
}

@available(*, unavailable, message: "use ServerTrustPolicy, as in transport: try .platform(trust:)")
public protocol ServerTrustEvaluating: Sendable {}

@available(*, unavailable, message: "use ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class ServerTrustManager {
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: Any]) {}
}

@available(*, unavailable, message: "use the pins of a ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    public init(certificates: [Any] = [], acceptSelfSignedCertificates: Bool = false, validateHost: Bool = true) {}
}

@available(*, unavailable, message: "use the pins of a ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    public init(keys: [Any] = [], performDefaultValidation: Bool = true, validateHost: Bool = true) {}
}

@available(*, unavailable, message: "add the certificates of your server to a ServerTrustPolicy")
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    public init() {}
}

@available(*, unavailable, message: "use AuthenticationInterceptor(credential:apply:refresh:)")
public protocol Authenticator {}

@available(*, unavailable, message: "use MoyaError: its kind, and the URLError in underlying(_:_:)")
public enum AFError: Error {
    public var responseCode: Int? { nil }
    public var isExplicitlyCancelledError: Bool { false }
}

extension MoyaError {
    @available(*, unavailable, message: "use response?.statusCode")
    public var responseCode: Int? { nil }

    @available(*, unavailable, renamed: "isCancelled")
    public var isExplicitlyCancelledError: Bool { false }
}

extension Error {
    @available(*, unavailable, message: "the error is a MoyaError: use its kind, and its response?.statusCode")
    public var asAFError: AFError? { nil }

    @available(*, unavailable, message: "write do throws(MoyaError) { … }, or catch let error as MoyaError")
    public var isCancelled: Bool { false }
}

@available(
    *, unavailable,
    message: "declare each request as a case of a TargetType; encode(_:with:) of a ParameterEncoding has a URLRequest"
)
public protocol URLRequestConvertible {
    func asURLRequest() throws -> URLRequest
}

@available(*, unavailable, message: "declare each request as a case of a TargetType, with a baseURL and a path")
public protocol URLConvertible {
    func asURL() throws -> URL
}

extension HTTPURLResponse {
    @available(*, unavailable, message: "use headers of the Response, as in response.headers[\"ETag\"]")
    public var headers: HTTPHeaders { [:] }
}

extension URLSessionConfiguration {
    @available(*, unavailable, message: "pass timeouts:, defaultHeaders: and transport: to the MoyaProvider")
    public static var af: URLSessionConfiguration.Type { URLSessionConfiguration.self }

    @available(*, unavailable, message: "a provider sends HTTPHeaders.default; pass others as defaultHeaders:")
    public var headers: HTTPHeaders {
        get { [:] }
        set {}
    }
}

extension URLRequest {
    @available(*, unavailable, message: "use setValue(_:forHTTPHeaderField:) and allHTTPHeaderFields")
    public var headers: HTTPHeaders {
        get { [:] }
        set {}
    }

    @available(*, unavailable, message: "use httpMethod, a String, as in httpMethod = \"POST\"")
    public var method: HTTPMethod? {
        get { nil }
        set {}
    }
}

@available(*, unavailable, message: "assign a field by its name, as in headers[\"Accept\"] = \"text/plain\"")
public struct HTTPHeader {
    public init(name: String, value: String) {}
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "", value: "") }
    public static func authorization(_ value: String) -> HTTPHeader { HTTPHeader(name: "", value: "") }
    public static func authorization(bearerToken: String) -> HTTPHeader { HTTPHeader(name: "", value: "") }
    public static func authorization(username: String, password: String) -> HTTPHeader {
        HTTPHeader(name: "", value: "")
    }
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "", value: "") }
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "", value: "") }
}

@available(*, unavailable, message: "use headers.fields, whose elements have a name and a value")
extension HTTPHeaders: Sequence {
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

@available(*, unavailable, message: "write the fields as a dictionary, as in [\"Accept\": \"text/plain\"]")
extension HTTPHeaders: ExpressibleByArrayLiteral {
    public init(arrayLiteral headers: HTTPHeader...) { self.init() }
}

extension HTTPHeaders {
    @available(*, unavailable, message: "write the fields as a dictionary, as in [\"Accept\": \"text/plain\"]")
    public init(_ headers: [HTTPHeader]) { self.init() }

    @available(*, unavailable, message: "assign a field by its name, as in headers[\"Accept\"] = \"text/plain\"")
    public mutating func update(_ header: HTTPHeader) {}

    @available(*, unavailable, renamed: "fields.count")
    public var count: Int { fields.count }

    @available(*, unavailable, renamed: "fields.isEmpty")
    public var isEmpty: Bool { fields.isEmpty }

    @available(*, unavailable, message: "assign the field by its name, as in headers[\"Accept\"] = \"text/plain\"")
    public mutating func add(_ header: HTTPHeader) {}

    @available(*, unavailable, message: "assign the field by its name, as in headers[name] = value")
    public mutating func add(name: String, value: String) {}

    @available(*, unavailable, message: "assign the field by its name, as in headers[name] = value")
    public mutating func update(name: String, value: String) {}

    @available(*, unavailable, message: "assign nil, as in headers[name] = nil")
    public mutating func remove(name: String) {}

    @available(*, unavailable, message: "read the field by its name, as in headers[name]")
    public func value(for name: String) -> String? { nil }
}

extension RetryDecision {
    @available(*, unavailable, renamed: "retry(after:)", message: "with a Duration, such as .seconds(1)")
    public static func retryWithDelay(_ delay: TimeInterval) -> RetryDecision { .doNotRetry }

    @available(*, unavailable, renamed: "fail(_:)", message: "with a MoyaError")
    public static func doNotRetryWithError(_ error: any Error) -> RetryDecision { .doNotRetry }
}

extension RedirectPolicy {
    @available(*, unavailable, renamed: "never")
    public static var doNotFollow: RedirectPolicy { .never }
}

extension ProgressResponse {
    @available(*, unavailable, renamed: "progress")
    public var fractionCompleted: Double { progress }
}

extension RequestBody {
    @available(
        *, unavailable, message: "use .stream(once: chunks, length:), an AsyncSequence of Data, or .file(url)"
    )
    public static func stream(_ stream: InputStream, _ length: UInt64) -> RequestBody { .data(Data()) }
}

extension MultipartFormData {
    @available(*, unavailable, message: "pass the parts: [MultipartFormBodyPart(provider:name:fileName:mimeType:)]")
    public func append(_ content: Any, withName name: String, fileName: String? = nil, mimeType: String? = nil) {}
}

@available(*, unavailable, message: "a request of a provider is a Cancellable, or a stream with MoyaStreams")
public typealias DataRequest = any Cancellable

@available(*, unavailable, message: "a request of a provider is a Cancellable, or a stream with MoyaStreams")
public typealias UploadRequest = any Cancellable

@available(*, unavailable, message: "await streamedResponse(_:), whose chunks arrive as they are received")
public typealias DataStreamRequest = any Cancellable

@available(*, unavailable, message: "use Result<Value, MoyaError>")
public typealias AFResult<Success> = Result<Success, MoyaError>

@available(*, unavailable, message: "use Response, whose map(_:) decodes its content")
public typealias DataResponse<Success, Failure> = AF.Outcome<Success>

@available(*, unavailable, message: "use Response, whose map(_:) decodes its content")
public typealias AFDataResponse<Success> = AF.Outcome<Success>

@available(*, unavailable, message: "pass several interceptors: [...] to the MoyaProvider")
public final class Interceptor: Sendable {
    public init(adapter: Any? = nil, retrier: Any? = nil, adapters: [Any] = [], retriers: [Any] = []) {}
}

@available(*, unavailable, message: "an AuthenticationInterceptor takes any Sendable type, and isStale:")
public protocol AuthenticationCredential {}

@available(*, unavailable, message: "use NWPathMonitor in an interceptor: see the recipe WaitForANetwork")
public final class NetworkReachabilityManager: Sendable {
    public static var `default`: NetworkReachabilityManager? { nil }
    public init?(host: String = "") {}
    public var isReachable: Bool { false }
    public func startListening(onUpdatePerforming listener: (Any) -> Void) {}
}

@available(*, unavailable, message: "use the task .requestJSONEncodable(_:), or .requestFormEncodable(_:encoding:)")
public struct ParameterEncoder {
    public static var json: ParameterEncoder { ParameterEncoder() }
    public static var urlEncodedForm: ParameterEncoder { ParameterEncoder() }
    public static var `default`: ParameterEncoder { ParameterEncoder() }
    public init(encoder: Any? = nil, destination: Any? = nil) {}
}

@available(*, unavailable, message: "use the task .requestFormEncodable(_:encoding:), or URLEncoding")
public typealias URLEncodedFormParameterEncoder = ParameterEncoder

@available(*, unavailable, message: "use the task .requestJSONEncodable(_:)")
public typealias JSONParameterEncoder = ParameterEncoder

@available(*, unavailable, message: "pass redirects: with a RedirectPolicy to the MoyaProvider")
public struct Redirector {
    public enum Behavior { case follow, doNotFollow }
    public static var follow: Redirector { Redirector(behavior: .follow) }
    public static var doNotFollow: Redirector { Redirector(behavior: .doNotFollow) }
    public init(behavior: Behavior) {}
}

@available(*, unavailable, message: "import MoyaCaching and pass transport: ….caching(in: cache)")
public struct ResponseCacher {
    public enum Behavior { case cache, doNotCache }
    public static var cache: ResponseCacher { ResponseCacher(behavior: .cache) }
    public static var doNotCache: ResponseCacher { ResponseCacher(behavior: .doNotCache) }
    public init(behavior: Behavior) {}
}

@available(*, unavailable, message: "pass RetryInterceptor(policy), or .retry(policy)")
extension RetryPolicy: RequestInterceptor {
    public func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable { .noOp }

    public func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable { .noOp }
}

@available(*, unavailable, message: "use [String: any Sendable]")
public typealias Parameters = [String: any Sendable]

@available(*, unavailable, renamed: "RequestInterceptor")
public typealias RequestAdapter = RequestInterceptor

@available(*, unavailable, renamed: "RequestInterceptor")
public typealias RequestRetrier = RequestInterceptor

@available(*, unavailable, renamed: "CallObserver", message: "pass it as observers: [...]; a PluginType sees requests")
public typealias EventMonitor = CallObserver

@available(*, unavailable, message: "use the task .download(to:), and RequestTask.suggestedDestination(in:options:)")
public enum DownloadRequest {
    public typealias Destination = DownloadDestination
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory, options: Any? = nil
    ) -> Destination { { file, _ in (file, []) } }
}
