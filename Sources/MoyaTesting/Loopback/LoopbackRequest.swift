public import Foundation
public import Moya

/// A request that a ``LoopbackServer`` has received.
public struct LoopbackRequest: Sendable, Hashable {
    /// The method.
    public let method: HTTPMethod
    /// The target of the request line as received, such as `/users?page=2`.
    public let target: String
    /// The header fields in order.
    public let headers: HTTPHeaders
    /// The content, without the framing of the chunked transfer coding.
    public let body: Data

    /// The target without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The query, without the question mark; `nil` if the target has no query.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }
}

extension LoopbackRequest {
    /// The percent-decoded parameters of the query in order; a `+` is not decoded to a space.
    ///
    /// ```swift
    /// let server = try LoopbackServer { request in
    ///     .text("page " + (request.queryItems.first { $0.name == "page" }?.value ?? "1"))
    /// }
    /// ```
    public var queryItems: [URLQueryItem] {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.removingPercentEncoding ?? String($0) }
            return URLQueryItem(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
        }
    }
}

struct RequestReader {
    private let connection: Socket
    private var buffer: [UInt8] = []

    /// The bytes that were received and not read yet.
    var unread: [UInt8] { buffer }

    init(_ connection: Socket) {
        self.connection = connection
    }

    /// Returns the next request, without content; `nil` at the end of the connection, or if it is not valid HTTP.
    mutating func nextHead() -> LoopbackRequest? {
        guard let start = readLine()?.split(separator: " "), start.count == 3 else { return nil }
        var headers = HTTPHeaders()
        while let line = readLine(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.add(String(line[..<colon]), String(line[line.index(after: colon)...].trimmed))
        }
        return LoopbackRequest(
            method: HTTPMethod(rawValue: String(start[0])), target: String(start[1]), headers: headers, body: Data())
    }

    /// Returns the request with its content; `nil` if the connection ends before, or if the content is not valid HTTP.
    mutating func content(of head: LoopbackRequest) -> LoopbackRequest? {
        if head.headers["Expect"]?.lowercased() == "100-continue" {
            _ = connection.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        guard let body = readBody(head.headers) else { return nil }
        return LoopbackRequest(method: head.method, target: head.target, headers: head.headers, body: body)
    }

    private mutating func readBody(_ headers: HTTPHeaders) -> Data? {
        guard headers["Transfer-Encoding"]?.lowercased() == "chunked" else {
            return read(max(headers["Content-Length"].flatMap { Int($0) } ?? 0, 0))
        }
        var body = Data()
        while true {
            guard let size = readLine().flatMap({ Int($0.prefix { $0 != ";" }, radix: 16) }), size >= 0 else {
                return nil
            }
            guard size > 0 else { break }
            guard let chunk = read(size), readLine() != nil else { return nil }
            body += chunk
        }
        while let line = readLine() { if line.isEmpty { return body } }
        return nil
    }

    private mutating func read(_ count: Int) -> Data? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Data(buffer.prefix(count))
    }

    private mutating func readLine() -> String? {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[..<end].filter { $0 != UInt8(ascii: "\r") }
                buffer.removeFirst(end + 1)
                return String(decoding: line, as: UTF8.self)
            }
            searched = buffer.count
            guard fill() else { return nil }
        }
    }

    private mutating func fill() -> Bool {
        let bytes = connection.read()
        buffer += bytes
        return !bytes.isEmpty
    }
}
