public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The response of a server, with any status code.
public struct Response: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The content, decompressed.
    ///
    /// Empty if there is none.
    public let data: Data
    /// The request as it was sent.
    ///
    /// It is made when it is first asked for.
    public var request: URLRequest? { sent?.urlRequest }
    /// The response head; `nil` for a stub with a status code only.
    ///
    /// It is created at each access: ``headers`` and ``statusCode`` cost less.
    public var response: HTTPURLResponse? {
        switch origin {
        case .none: nil
        case .foundation(let response): response
        case .server(let head, let url):
            HTTPURLResponse(
                url: url, statusCode: head.statusCode, httpVersion: head.version, headerFields: head.headers.dictionary)
        }
    }
    /// The header fields in order; repeated fields are separate if the transport delivers them so.
    public let headers: HTTPHeaders
    /// The trailer fields, if the transport delivers them.
    public let trailers: HTTPHeaders
    /// The durations of the exchange; `nil` for a stub.
    public let metrics: TransportMetrics?
    /// The file of a download; ``data`` is empty then.
    public let fileURL: URL?
    private let origin: Origin
    private let sent: SentRequest?

    /// The head that the transport delivered; `nil` for a stub.
    var head: ResponseHead? { if case .server(let head, _) = origin { head } else { nil } }

    /// The known parts of the head.
    enum Origin: Sendable {
        case none
        case foundation(HTTPURLResponse)
        case server(ResponseHead, URL)
    }

    /// A response.
    ///
    /// Without `headers`, the fields of `response` are used.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil,
        headers: HTTPHeaders? = nil, trailers: HTTPHeaders = [:], metrics: TransportMetrics? = nil,
        fileURL: URL? = nil
    ) {
        self.init(
            statusCode: statusCode, data: data, sent: request.map(SentRequest.init),
            origin: response.map { .foundation($0) } ?? .none,
            headers: headers ?? HTTPHeaders(response), trailers: trailers, metrics: metrics, fileURL: fileURL)
    }

    init(
        statusCode: Int, data: Data, sent: SentRequest?, origin: Origin, headers: HTTPHeaders,
        trailers: HTTPHeaders, metrics: TransportMetrics?, fileURL: URL? = nil
    ) {
        self.statusCode = statusCode
        self.data = data
        self.sent = sent
        self.origin = origin
        self.headers = headers
        self.trailers = trailers
        self.metrics = metrics
        self.fileURL = fileURL
    }

    /// Returns the response with its content in a file.
    func stored(at file: URL) -> Response {
        Response(
            statusCode: statusCode, data: Data(), sent: sent, origin: origin, headers: headers,
            trailers: trailers, metrics: metrics, fileURL: file)
    }
}

extension Response: Equatable {
    /// Whether status code, data, file and head are equal.
    public static func == (left: Response, right: Response) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data && left.response == right.response
            && left.fileURL == right.fileURL
    }
}

extension Response: CustomStringConvertible {
    /// Status code and length; the content may be secret.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }
}

extension HTTPHeaders {
    /// The header fields of a Foundation response, sorted by name.
    init(_ response: HTTPURLResponse?) {
        var fields: [String: String] = [:]
        for (name, value) in response?.allHeaderFields ?? [:] { fields["\(name)"] = "\(value)" }
        self.init(fields)
    }
}
