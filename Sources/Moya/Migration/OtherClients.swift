public import Foundation

// Unavailable stand-ins for the entry points of Alamofire and Get; the messages of the compiler name the replacements.
// An unavailable type does not hide an available one of the same name: a file that also imports Alamofire or Get uses
// their types.

/// Not available: a provider sends requests for targets.
@available(
    *, unavailable,
    message:
        "declare the request as a target, and send it with MoyaProvider: request(_:completion:), response(_:) or value(_:)"
)
public struct AF {
    /// The outcome that a completion receives.
    public struct Outcome<Value> {
        /// The outcome.
        public var result: Result<Value, MoyaError> { .failure(.cancelled) }
        /// The value of a success.
        public var value: Value? { nil }
        /// The error of a failure.
        public var error: MoyaError? { nil }
    }

    /// Not available: a provider sends requests for targets.
    public static func request(
        _ url: String, method: HTTPMethod = .get, parameters: Any? = nil, encoding: Any? = nil, encoder: Any? = nil,
        headers: Any? = nil
    ) -> AF { AF() }
    /// Not available: the task of a target is `.download(to:)`.
    public static func download(_ url: String, to destination: Any? = nil) -> AF { AF() }
    /// Not available: the task of a target is `.uploadFile(_:)`, `.requestData(_:)` or `.uploadMultipartFormData(_:)`.
    public static func upload(_ content: Any, to url: String) -> AF { AF() }
    /// Not available: `streamedResponse(_:)` has the content as it arrives.
    public static func streamRequest(_ url: String) -> AF { AF() }
    /// Not available: a target specifies its validation.
    public func validate() -> AF { self }
    /// Not available: `value(_:)` decodes the response.
    public func responseDecodable<Value: Decodable>(
        of type: Value.Type, completionHandler: @escaping @Sendable (Outcome<Value>) -> Void
    ) {}
    /// Not available: `response(_:)` returns the data.
    public func responseData(completionHandler: @escaping @Sendable (Outcome<Data>) -> Void) {}
    /// Not available: `value(_:)` returns the decoded response.
    public func serializingDecodable<Value: Decodable & Sendable>(_ type: Value.Type) -> Awaited<Value> { Awaited() }
    /// Not available: `response(_:)` returns the data.
    public func serializingData() -> Awaited<Data> { Awaited() }
    /// Not available: `response(_:)` returns the response, which has `mapString()`.
    public func serializingString() -> Awaited<String> { Awaited() }

    /// A response that is awaited.
    public struct Awaited<Value: Sendable> {
        /// The value.
        public var value: Value { get async throws { throw MoyaError.cancelled } }
    }
}

/// Not available: an interceptor returns a decision.
@available(*, unavailable, message: "use RetryDecision in a RequestInterceptor, or retry in an AsyncInterceptor")
public enum RetryResult {
    case retry, doNotRetry
}

/// Not available: a download is a task of a target.
@available(*, unavailable, message: "use the task .download(to:), and RequestTask.suggestedDestination(in:options:)")
public enum DownloadRequest {
    /// Not available: renamed.
    public static func suggestedDownloadDestination() -> Any { () }
}

/// Not available: a provider sends requests for targets.
@available(*, unavailable, message: "use MoyaProvider<MultiTarget>(baseURL:), and value(_:) of a DecodableTargetType")
public struct APIClient {
    /// The outcome of a request.
    public struct Outcome<Value> {
        /// The value.
        public let value: Value
    }

    /// Not available: a provider sends requests for targets.
    public init(baseURL: URL?) {}
    /// Not available: `value(_:)` returns the value.
    public func send<Value>(_ request: Request<Value>) async throws -> Outcome<Value> { throw MoyaError.cancelled }
}

/// Not available: a target describes a request.
@available(*, unavailable, message: "use a struct that conforms to DecodableTargetType")
public struct Request<Value> {
    /// Not available: a target describes a request.
    public init(
        path: String, method: HTTPMethod = .get, query: [(String, String?)]? = nil, body: (any Encodable)? = nil
    ) {}
}
