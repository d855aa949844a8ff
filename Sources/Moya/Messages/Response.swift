public import Foundation

/// The response of a server, with any status code.
///
/// Copies share the content, so that passing a response costs little.
public struct Response: Sendable {
    private let storage: Storage

    /// The status code (RFC 9110, section 15).
    public var statusCode: Int { storage.content.head.statusCode }
    /// The content, decompressed.
    ///
    /// It is empty if the response has no content, or if the content is in the file ``fileURL``.
    public var data: Data { storage.content.data }
    /// The request as it was sent.
    ///
    /// The `URLRequest` is created at each access.
    public var request: URLRequest? { storage.content.sent?.urlRequest }
    /// The response head; `nil` for a stub that consists of a status code and data.
    ///
    /// The `HTTPURLResponse` is created at each access. Reading ``headers`` and ``statusCode`` costs less.
    public var response: HTTPURLResponse? {
        if case .stub(let response) = storage.content.head.origin { return response }
        guard let head, let url = requestURL else { return nil }
        return HTTPURLResponse(
            url: url, statusCode: head.statusCode, httpVersion: head.version, headerFields: head.headers.dictionary)
    }
    /// The header fields, in order; repeated fields are separate if the transport delivers them separately.
    public var headers: HTTPHeaders { storage.content.head.headers }
    /// The trailer fields, if the transport delivers them.
    public var trailers: HTTPHeaders { storage.content.trailers }
    /// The measurements of the exchange, such as durations; `nil` for a stub.
    public var metrics: TransportMetrics? { storage.content.metrics }
    /// The file that contains the content of a download; `nil` if the content is in ``data``.
    public internal(set) var fileURL: URL?

    /// The URL of ``request``; reading it does not create the `URLRequest`.
    var requestURL: URL? { sentRequest?.url }
    var sentRequest: TransportRequest? { storage.content.sent }
    /// How the cache of the transport handled the request; `nil` if the transport has no cache.
    ///
    /// The method `caching(in:policy:scheduler:now:)` of the module MoyaCaching adds a cache to a transport. Caches of
    /// servers do not change this value: they add members to the field `Cache-Status` only.
    public var cacheStatus: CacheStatus? { head?.cacheStatus }
    /// The head that the transport delivered; `nil` for a stub.
    var head: ResponseHead? {
        let head = storage.content.head
        if case .stub = head.origin { return nil }
        return head.version.isEmpty || sentRequest == nil ? nil : head
    }

    /// Creates a response.
    ///
    /// If `headers` is `nil`, the header fields of `response` are used.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil,
        headers: HTTPHeaders? = nil, trailers: HTTPHeaders = [:], metrics: TransportMetrics? = nil,
        fileURL: URL? = nil
    ) {
        var head = ResponseHead(unversioned: statusCode, headers: headers ?? HTTPHeaders(response))
        if let response { head.origin = .stub(response) }
        self.init(
            Content(
                head: head, data: data, sent: request.map { TransportRequest(unchecked: $0) }, trailers: trailers,
                metrics: metrics))
        self.fileURL = fileURL
    }

    init(_ content: Content) {
        storage = Storage(content)
    }

    func withoutData() -> Response {
        var content = storage.content
        content.data = Data()
        var response = Response(content)
        response.fileURL = fileURL
        return response
    }

    struct Content: Sendable {
        let head: ResponseHead
        var data: Data
        let sent: TransportRequest?
        let trailers: HTTPHeaders
        let metrics: TransportMetrics?
    }

    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }
}

extension Response: Equatable {
    /// Returns whether status code, header fields, data and file are equal.
    public static func == (left: Response, right: Response) -> Bool {
        left.statusCode == right.statusCode && left.headers == right.headers && left.data == right.data
            && left.fileURL == right.fileURL
    }
}

extension Response: CustomStringConvertible {
    /// The status code and the length of the content, without the content, which may be secret.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }
}

extension HTTPHeaders {
    init(_ response: HTTPURLResponse?) {
        let fields = (response?.allHeaderFields ?? [:]).map { ("\($0)", "\($1)") }
        self.init(Dictionary(fields, uniquingKeysWith: { $1 }))
    }
}

extension ResponseHead {
    /// Creates a head without a version, as of a stub; a response with it has no ``Response/head``.
    init(unversioned statusCode: Int, headers: HTTPHeaders = [:]) {
        self.init(statusCode: statusCode, version: "", headers: headers)
    }
}

/// A part of a response that is delivered as it arrives.
public enum ResponsePart: Sendable {
    /// The response head, which is delivered first.
    case head(ResponseHead)
    /// The next bytes of the content.
    case chunk(Data)
}
