// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Unavailable stand-ins for names of Get, URLSession and URLRequest, as in `AlamofireNames.swift`.

@available(*, unavailable, message: "use MoyaProvider<MultiTarget>(baseURL:), and value(_:) of a DecodableTargetType")
public struct APIClient {
    public struct Outcome<Value> {
        public let value: Value
    }

    public init(baseURL: URL?, _ configure: ((inout Configuration) -> Void)? = nil) {}
    public struct Configuration {
        public var decoder = JSONDecoder()
        public var encoder = JSONEncoder()
        public var sessionConfiguration = URLSessionConfiguration.default
        public var delegate: Any?
    }
    public func send<Value>(_ request: any Request<Value>) async throws -> Outcome<Value> { throw MoyaError.cancelled }
}

@available(
    *, unavailable,
    message: "use a struct that conforms to DecodableTargetType; in interceptors and observers, a TransportRequest"
)
public protocol Request<Response> {
    associatedtype Response
}

@available(*, unavailable, renamed: "MoyaError", message: "its response?.statusCode has the code")
public enum APIError: Error {
    case unacceptableStatusCode(Int)
}

@available(*, unavailable, message: "pass interceptors: to the MoyaProvider, or plugins:")
public protocol APIClientDelegate {}

extension Response {
    @available(*, unavailable, message: "call value(_:) or value(_:as:) of the provider, which returns the value")
    public var value: Data { data }

    @available(*, unavailable, renamed: "map(_:)")
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw MoyaError.cancelled }

    @available(*, unavailable, renamed: "map(_:)")
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value { throw MoyaError.cancelled }

    @available(*, unavailable, message: "use headers, as in headers[\"ETag\"]")
    public func value(forHTTPHeaderField field: String) -> String? { headers[field] }

    @available(*, unavailable, renamed: "headers")
    public var allHeaderFields: [String: String] { [:] }

    @available(*, unavailable, message: "use response?.url, or request?.url, which is the URL before redirects")
    public var url: URL? { nil }

    @available(*, unavailable, renamed: "statusCode")
    public var status: Int { statusCode }

    @available(*, unavailable, renamed: "data")
    public var body: Data { data }

    @available(*, unavailable, message: "use filterSuccessfulStatusCodes(), or 200..<300 ~= statusCode")
    public var isSuccess: Bool { false }

    @available(*, unavailable, message: "use headers[\"Content-Type\"]")
    public var contentType: String? { nil }

    @available(*, unavailable, message: "use headers[\"Content-Type\"]")
    public var mimeType: String? { nil }

    @available(*, unavailable, message: "call mapString()")
    public var text: String { "" }

    @available(*, unavailable, message: "call mapJSON()")
    public var json: JSONValue { .null }

    @available(*, unavailable, message: "use filter(statusCodes:), or the property validationType of the target")
    public func validate(statusCode: some Sequence<Int>) throws -> Response { self }
}

extension MoyaProvider {
    @available(*, unavailable, message: "call value(_:) with a TypedTarget, or value(_:as:), which return the value")
    @_disfavoredOverload
    public func send<Value>(_ target: Target) async throws -> APIClient.Outcome<Value> { throw MoyaError.cancelled }

    @available(*, unavailable, message: "await response(_:), whose result has the data and the status code")
    public func data(for target: Target) async throws(MoyaError) -> (Data, Response) { throw .cancelled }

    @available(*, unavailable, message: "await response(_:), whose result has the data and the status code")
    public func data(_ target: Target) async throws(MoyaError) -> (Data, Response) { throw .cancelled }

    @available(*, unavailable, message: "await streamedResponse(_:), a sequence of chunks, and iterate its lines()")
    public func bytes(for target: Target) async throws(MoyaError) -> (StreamedResponse, Response) { throw .cancelled }

    @available(*, unavailable, message: "await streamedResponse(_:), a sequence of chunks, and iterate its lines()")
    public func bytes(_ target: Target) async throws(MoyaError) -> (StreamedResponse, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .download(to:), and await response(_:)")
    public func download(for target: Target) async throws(MoyaError) -> (URL, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .download(to:), and await response(_:)")
    public func download(_ target: Target) async throws(MoyaError) -> (URL, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .download(to:), and await response(_:)")
    public func download(_ target: Target, to destination: URL) async throws(MoyaError) -> Response { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:), and await response(_:)")
    public func upload(for target: Target, fromFile file: URL) async throws(MoyaError) -> (Data, Response) {
        throw .cancelled
    }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:), and await response(_:)")
    public func upload(_ target: Target, fromFile file: URL) async throws(MoyaError) -> (Data, Response) {
        throw .cancelled
    }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:) or .requestData(_:)")
    public func upload(for target: Target, from data: Data) async throws(MoyaError) -> (Data, Response) {
        throw .cancelled
    }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:) or .requestData(_:)")
    public func upload(_ target: Target, from data: Data) async throws(MoyaError) -> (Data, Response) {
        throw .cancelled
    }

    @available(*, unavailable, message: "return RequestOptions(timeouts:) as the options of the target")
    public func response(_ target: Target, timeout: TimeInterval) async throws(MoyaError) -> Response {
        throw .cancelled
    }

    @available(*, unavailable, renamed: "value(_:as:)")
    public func request<Value: Decodable>(_ target: Target, as type: Value.Type) async throws -> Value {
        throw MoyaError.cancelled
    }

    @available(*, unavailable, message: "await response(_:), and call map(_:atKeyPath:using:)")
    public func value<Value: Decodable>(
        _ target: Target, as type: Value.Type, atKeyPath keyPath: String, using decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value { throw MoyaError.cancelled }

    @available(*, unavailable, message: "await response(_:), and call map(_:using:), or pass decoding: to the provider")
    public func value<Value: Decodable>(
        _ target: Target, as type: Value.Type, using decoder: JSONDecoder
    ) async throws -> Value { throw MoyaError.cancelled }

    @available(*, unavailable, renamed: "cancelAll()")
    public func cancelAllRequests() {}

    @available(*, unavailable, message: "leave it out: cancelAll() cancels the requests, and idle connections end")
    public func shutdown() {}

    @available(*, unavailable, renamed: "streamedResponse(_:)")
    public func stream(_ target: Target) async throws(MoyaError) -> StreamedResponse { throw .cancelled }

    @available(*, unavailable, message: "pass decoding: ResponseDecoding { $0.keyDecodingStrategy = … }")
    public convenience init(baseURL: URL? = nil, decoder: JSONDecoder) { self.init() }

    @available(*, unavailable, message: "pass decoding: ResponseDecoding { $0.keyDecodingStrategy = … }")
    public convenience init(baseURL: URL? = nil, decoding: JSONDecoder) { self.init() }

    @available(
        *, unavailable,
        message: """
            pass timeouts: Timeouts(total: .seconds(30)), defaultHeaders:, interceptors: [.retry(times: 3)], or \
            transport:; RequestOptions has the cachePolicy
            """
    )
    @_disfavoredOverload
    public convenience init(
        baseURL: URL? = nil, timeout: TimeInterval? = nil, headers: [String: String]? = nil, retry: Any? = nil,
        cachePolicy: Any? = nil, urlSession: URLSession? = nil
    ) { self.init() }
}

// A provider of `MultiTarget` sends targets of any type.
extension MoyaProvider where Target == MultiTarget {
    @available(*, unavailable, message: "call value(_:), which returns the value, or response(_:)")
    @_disfavoredOverload
    public func send<Endpoint: DecodableTargetType>(
        _ target: Endpoint
    ) async throws -> APIClient.Outcome<Endpoint.Value> { throw MoyaError.cancelled }

    @available(*, unavailable, message: "await response(_:), whose result has the data and the status code")
    public func data(for target: some RelativeTarget) async throws(MoyaError) -> (Data, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .download(to:), and await response(_:)")
    public func download(
        for target: some RelativeTarget
    ) async throws(MoyaError) -> (URL, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:), and await response(_:)")
    public func upload(
        for target: some RelativeTarget, fromFile file: URL
    ) async throws(MoyaError) -> (Data, Response) { throw .cancelled }

    @available(*, unavailable, message: "give the target the task .uploadFile(_:) or .requestData(_:)")
    public func upload(
        for target: some RelativeTarget, from data: Data
    ) async throws(MoyaError) -> (Data, Response) { throw .cancelled }
}

extension ResponseDecoding {
    @available(*, unavailable, message: "set the decoder up, as in ResponseDecoding { $0.keyDecodingStrategy = … }")
    public init(_ decoder: JSONDecoder) { self.init() }
}

extension Timeouts {
    @available(*, unavailable, message: "use Timeouts(total:) for a whole call, or Timeouts(idle:) between two batches")
    public init(_ limit: Duration) { self.init() }
}

extension TransportRequest {
    @available(*, unavailable, renamed: "method")
    public var httpMethod: String? {
        get { nil }
        set {}
    }

    @available(*, unavailable, message: "use body, as in request.body = .data(data)")
    public var httpBody: Data? {
        get { nil }
        set {}
    }

    @available(*, unavailable, message: "use headers, as in headers[\"Accept\"]")
    public var allHTTPHeaderFields: [String: String]? {
        get { nil }
        set {}
    }
}
