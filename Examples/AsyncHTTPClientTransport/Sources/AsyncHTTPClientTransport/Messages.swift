import AsyncHTTPClient
import Foundation
import Moya
import NIOCore
import NIOHTTP1

extension HTTPClientRequest {
    /// Creates the request of the client.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - upload: its content.
    ///   - offersEncodings: whether the client decodes content that is compressed.
    /// - Throws: a `URLError` for content that cannot be read.
    init(_ request: TransportRequest, _ upload: Upload, offersEncodings: Bool) throws(URLError) {
        self.init(url: request.url.absoluteString)
        method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        headers = NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
        if offersEncodings { headers.add(name: "Accept-Encoding", value: "gzip, deflate") }
        if let user = request.url.user(percentEncoded: false), request.headers["Authorization"] == nil {
            setBasicAuth(username: user, password: request.url.password(percentEncoded: false) ?? "")
        }
        if case .none = request.body { return }
        body = .stream(upload, length: try upload.length().map { .known($0) } ?? .unknown)
    }
}

extension ResponseHead {
    init(_ response: HTTPClientResponse) {
        let version = response.version
        let fields = response.headers.map { name, value in
            Moya.HTTPHeaders.Field(name: name, value: value.trimmingCharacters(in: .whitespaces))
        }
        self.init(
            statusCode: Int(response.status.code),
            version: version.major < 2 ? "HTTP/\(version.major).\(version.minor)" : "HTTP/\(version.major)",
            headers: Moya.HTTPHeaders(fields: fields))
    }
}
