public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What a server answered, whatever the status code.
public struct Response: Sendable {
    /// The status code (RFC 9110, section 15).
    public let statusCode: Int
    /// The content, decompressed.
    ///
    /// Empty if there is none.
    public let data: Data
    /// The request as it was sent.
    public let request: URLRequest?
    /// The response head; nil for a stub that gives a status code only.
    public let response: HTTPURLResponse?
    /// The header fields in order, repeated ones kept apart where the engine gives them so.
    public let headers: HTTPHeaders
    /// The fields behind the content, where the engine gives them.
    public let trailers: HTTPHeaders
    /// How long the parts of the exchange took; nil for a stub.
    public let metrics: TransportMetrics?
    /// Where a download is; ``data`` is empty then.
    public let fileURL: URL?

    /// A response.
    ///
    /// Without `headers`, those of `response` are taken.
    public init(
        statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil,
        headers: HTTPHeaders? = nil, trailers: HTTPHeaders = [:], metrics: TransportMetrics? = nil,
        fileURL: URL? = nil
    ) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        self.response = response
        self.headers = headers ?? HTTPHeaders(response)
        self.trailers = trailers
        self.metrics = metrics
        self.fileURL = fileURL
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
    fileprivate init(_ response: HTTPURLResponse?) {
        var fields: [String: String] = [:]
        for (name, value) in response?.allHeaderFields ?? [:] { fields["\(name)"] = "\(value)" }
        self.init(fields)
    }
}
