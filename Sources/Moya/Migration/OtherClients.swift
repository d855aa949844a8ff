// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Unavailable stand-ins for the entry points of the libraries Alamofire and Get. The compiler's error messages name
// the replacements. An unavailable type does not hide an available type of the same name: in a file that also imports
// Alamofire, `AF` is Alamofire's type.

@available(
    *, unavailable,
    message:
        "declare the request as a target, and send it with MoyaProvider: request(_:completion:), response(_:) or value(_:)"
)
public struct AF {
    /// The outcome that a `completionHandler` receives.
    public struct Outcome<Value> {
        /// The value of a success, or the error of a failure.
        public var result: Result<Value, MoyaError> { .failure(.cancelled) }
        /// The value of a success; `nil` after a failure.
        public var value: Value? { nil }
        /// The error of a failure; `nil` after a success.
        public var error: MoyaError? { nil }
    }

    /// Not available: use ``MoyaProvider``, which sends requests for targets.
    public static func request(
        _ url: String, method: HTTPMethod = .get, parameters: Any? = nil, encoding: Any? = nil, encoder: Any? = nil,
        headers: Any? = nil
    ) -> AF { AF() }
    /// Not available: use a target with the task `.download(to:)`.
    public static func download(_ url: String, to destination: Any? = nil) -> AF { AF() }
    /// Not available: use the tasks `.uploadFile(_:)`, `.requestData(_:)` and `.uploadMultipartFormData(_:)`.
    public static func upload(_ content: Any, to url: String) -> AF { AF() }
    /// Not available: use `streamedResponse(_:)` of a provider, which delivers the content as it arrives.
    public static func streamRequest(_ url: String) -> AF { AF() }
    /// Not available: use the property `validationType` of a target.
    public func validate() -> AF { self }
    /// Not available: use `value(_:)` of a provider, which decodes the response.
    public func responseDecodable<Value: Decodable>(
        of type: Value.Type, completionHandler: @escaping @Sendable (Outcome<Value>) -> Void
    ) {}
    /// Not available: use `value(_:as:)` of a provider, or `mapJSON()` of a response.
    public func responseJSON(completionHandler: @escaping @Sendable (Outcome<JSONValue>) -> Void) {}
    /// Not available: use `mapString()` of a response.
    public func responseString(completionHandler: @escaping @Sendable (Outcome<String>) -> Void) {}
    /// Not available: use `response(_:)` of a provider, which returns a response with the data.
    public func responseData(completionHandler: @escaping @Sendable (Outcome<Data>) -> Void) {}
    /// Not available: use `value(_:)` of a provider, which returns the decoded value.
    public func serializingDecodable<Value: Decodable & Sendable>(_ type: Value.Type) -> Awaited<Value> { Awaited() }
    /// Not available: use `response(_:)` of a provider, which returns a response with the data.
    public func serializingData() -> Awaited<Data> { Awaited() }
    /// Not available: use `response(_:)` of a provider, and `mapString()` of the response.
    public func serializingString() -> Awaited<String> { Awaited() }

    /// The result of the `serializing` methods, with an `async` value.
    public struct Awaited<Value: Sendable> {
        /// The value, which is available after the response has arrived.
        public var value: Value { get async throws { throw MoyaError.cancelled } }
    }
}

@available(*, unavailable, message: "use RetryDecision in a RequestInterceptor, or retry in an AsyncInterceptor")
public enum RetryResult {
    case retry, doNotRetry
}

@available(
    *, unavailable,
    message: "there is no Session: pass transport:, timeouts: and interceptors: to the MoyaProvider"
)
public final class Session {
    /// Not available: leave it out.
    public static var `default`: Session { Session() }
    /// Not available: use `cancelAll()` of the provider.
    public func cancelAllRequests() {}
    /// Not available: pass the settings to the provider.
    public init(
        configuration: URLSessionConfiguration = .default, startRequestsImmediately: Bool = true,
        interceptor: Any? = nil, serverTrustManager: Any? = nil
    ) {}
}

@available(*, unavailable, message: "use ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class ServerTrustManager {
    /// Not available: use ``ServerTrustPolicy``.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: Any]) {}
}

@available(*, unavailable, message: "use the pins of a ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class PinnedCertificatesTrustEvaluator {
    /// Not available: use ``ServerTrustPolicy`` with pins.
    public init() {}
}

@available(*, unavailable, message: "use the pins of a ServerTrustPolicy, as in transport: try .platform(trust:)")
public final class PublicKeysTrustEvaluator {
    /// Not available: use ``ServerTrustPolicy`` with pins.
    public init() {}
}

@available(*, unavailable, message: "use AuthenticationInterceptor(credential:apply:refresh:)")
public protocol Authenticator {}

@available(*, unavailable, message: "use MoyaError: its kind, and the URLError in underlying(_:_:)")
public enum AFError {
    /// Not available: use `response?.statusCode` of a ``MoyaError``.
    public var responseCode: Int? { nil }
}

extension Error {
    @available(*, unavailable, message: "the error is a MoyaError: use its kind, and its response?.statusCode")
    public var asAFError: AFError? { nil }
}

@available(*, unavailable, message: "encode(_:with:) of a ParameterEncoding has a URLRequest")
public typealias URLRequestConvertible = URLRequest

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
    /// Not available: use `RequestTask.suggestedDestination(in:options:)`.
    public static func suggestedDownloadDestination() -> Any { () }
}

@available(*, unavailable, message: "use MoyaProvider<MultiTarget>(baseURL:), and value(_:) of a DecodableTargetType")
public struct APIClient {
    /// The result of `send(_:)`.
    public struct Outcome<Value> {
        /// The decoded value of the response.
        public let value: Value
    }

    /// Not available: use ``MoyaProvider``, which sends requests for targets.
    public init(baseURL: URL?) {}
    /// Not available: use `value(_:)` of a provider, which returns the decoded value.
    public func send<Value>(_ request: Request<Value>) async throws -> Outcome<Value> { throw MoyaError.cancelled }
}

@available(*, unavailable, message: "use a struct that conforms to DecodableTargetType")
public struct Request<Value> {
    /// Not available: describe the request as a target.
    public init(
        path: String, method: HTTPMethod = .get, query: [(String, String?)]? = nil, body: (any Encodable)? = nil
    ) {}
}
