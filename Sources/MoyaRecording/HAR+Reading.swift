public import Foundation
import MoyaHTTP

extension HAR {
    /// Reads an archive, and the files next to it that contain long content.
    ///
    /// Entries whose URL is not an http or https URL are ignored, such as WebSockets and `data:` URLs. Pseudo-header
    /// fields of HTTP/2 are ignored, too. Other programs write the text of each response in UTF-8; it is converted back
    /// to the charset that the response declares. An entry that cannot be read is left out, and ``unreadable`` has its
    /// error.
    ///
    /// - Throws: a ``HARError`` if the file is not an archive of version 1, if none of its entries can be read, or if a
    ///   file with content is missing; the error of the file system if the archive itself cannot be read.
    public init(contentsOf file: URL) throws {
        let directory = file.deletingLastPathComponent()
        try self.init(Data(contentsOf: file), named: file.lastPathComponent) { name in
            try Data(contentsOf: directory.appending(path: name))
        }
    }

    /// Reads an archive that contains all its content itself, without further files.
    ///
    /// - Throws: a ``HARError`` if the data is not an archive of version 1, or if an entry has its content in another
    ///   file.
    public init(data: Data) throws {
        try self.init(data, named: "the archive") { _ in
            throw HARError("an archive in memory has no directory. Read it with HAR(contentsOf:).")
        }
    }

    private init(
        _ data: Data, named name: String, attachment: @escaping (String) throws -> Data
    ) throws {
        let log: HARFile.Log
        do {
            log = try HARFile(data).log
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.last?.stringValue == "entries" {
            throw HARError("\(name) is not a HAR file: its entries are not an array. Export or record it again.")
        } catch {
            throw HARError("\(name) is not a HAR file: it is not JSON with a log. Export or record it again.")
        }
        let version = log.version?.string ?? ""
        guard version.isEmpty || version == "1" || version.hasPrefix("1.") else {
            throw HARError(
                "\(name) has the version \(version.debugDescription) of the format HAR: convert it to version 1.2")
        }
        creator = Creator(
            name: log.creator?["name"]?.string ?? "", version: log.creator?["version"]?.string ?? "")
        entries = []
        for (index, source) in (log.entries ?? []).enumerated() {
            let place = "entry \(index + 1) of \(name)"
            do {
                guard let source = source.members else { throw HARError("it is not an object, or malformed JSON") }
                let own = creator.name == Creator.moya.name ? try source.member("_moya", \.object) ?? [:] : nil
                let reader = HAREntryReader(
                    source: source, own: own, isVersion13: version == "1.3", place: place, attachment: attachment)
                if let entry = try reader.entry() { entries.append(entry) }
            } catch let error as HARAttachmentError {
                throw HARError("\(place) has its content in \(error.description)")
            } catch let error as HARError {
                unreadable.append(HARError("\(place) cannot be read: \(error.description). Export or record it again."))
            }
        }
        if entries.isEmpty, let error = unreadable.first { throw error }
    }
}

// An archive as JSON. The decoder reads only the members that are used, so that a malformed string makes only its entry
// unreadable.
struct HARFile: Decodable {
    struct Log: Decodable {
        let version: JSONValue?
        let creator: JSONValue?
        let entries: [Entry]?
    }

    struct Entry: Decodable {
        private enum Member: String, CodingKey, CaseIterable {
            case startedDateTime, request, response, timings, _moya
        }

        /// The members that are used; `nil` if the entry is malformed.
        let members: [String: JSONValue]?

        init(from decoder: any Decoder) {
            members = try? Member.allCases.reduce(into: [:]) { members, member in
                members[member.rawValue] = try decoder.container(keyedBy: Member.self)
                    .decodeIfPresent(JSONValue.self, forKey: member)
            }
        }
    }

    let log: Log

    init(_ data: Data) throws {
        // Internet Explorer may write UTF-16.
        let text = EncodedText(data, mimeType: "application/json").map { Data($0.string.utf8) }
        self = try JSONDecoder().decode(Self.self, from: text ?? data)
    }
}

/// The error of content in a separate file, for which the whole archive is unreadable.
private struct HARAttachmentError: Error {
    let description: String
}

private struct HAREntryReader {
    let source: [String: JSONValue]
    /// The members that only this package writes; `nil` if another program wrote the archive.
    let own: [String: JSONValue]?
    let isVersion13: Bool
    let place: String
    let attachment: (String) throws -> Data

    /// Returns the entry; returns `nil` if its URL is not an http or https URL.
    func entry() throws -> HAR.Entry? {
        guard let request = try source.member("request", \.object), let method = try request.member("method", \.string),
            let text = try request.member("url", \.string)
        else { throw HARError("it has no method or no URL") }
        guard let url = URL(keepingEscapesIn: String(text.prefix { $0 != "#" })),
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil
        else { return nil }
        let date = try source.member("startedDateTime", \.string) ?? ""
        guard let start = Date(archived: date) else {
            throw HARError(
                "its startedDateTime \(date.debugDescription) is not a date of ISO 8601, such as 2026-01-31T12:00:00.000Z"
            )
        }
        var result = HAR.Entry(
            start: start,
            request: HAR.Request(
                method: HTTPMethod(rawValue: method), url: url,
                headers: Self.headers(try request.member("headers", \.array)),
                content: try requestContent(request)))
        result.request.version = Self.version(request["httpVersion"])
        result.attempt = max(1, try own?.member("attempt", \.int) ?? 1)
        result.timings = timings
        result.failure = try own?.member("failure", \.object).map { failure in
            HAR.Failure(
                code: failure["code"]?.int ?? URLError.Code.unknown.rawValue,
                description: failure["text"]?.string ?? "")
        }
        if let response = try source.member("response", \.object), let status = response["status"]?.number, status >= 1
        {
            result.response = try self.response(Int(exactly: status.rounded()) ?? 0, response)
        } else if result.failure == nil {
            result.failure = HAR.Failure(
                code: URLError.Code.unknown.rawValue, description: "\(place) has no response: its status is 0")
        }
        return result
    }

    private func response(_ status: Int, _ response: [String: JSONValue]) throws -> HAR.Response {
        let headers = Self.headers(try response.member("headers", \.array))
        var result = HAR.Response(
            statusCode: status, version: Self.version(response["httpVersion"]), headers: headers,
            content: try content(response.member("content", \.object) ?? [:], headers))
        result.trailers = Self.headers(try own?.member("trailers", \.array))
        let count = result.content.data?.count ?? 0
        result.chunks = (own?["chunks"]?.array ?? []).map {
            HAR.Chunk(
                offset: $0["offset"]?.int ?? -1, time: .init(clampedSeconds: ($0["time"]?.double ?? 0) / 1000))
        }
        // A replay needs ascending offsets, from 0 and within the content. If any is wrong, all chunks are discarded.
        let offsets = result.chunks.map(\.offset)
        let isAscending = zip(offsets, offsets.dropFirst() + [count]).allSatisfy(<)
        if !isAscending || offsets.first ?? 0 != 0 { result.chunks = [] }
        return result
    }

    private func content(_ content: [String: JSONValue], _ headers: HTTPHeaders) throws -> HAR.Content {
        let mimeType = try content.member("mimeType", \.string) ?? ""
        if let data = try attached("responseFile") { return HAR.Content(data, mimeType: mimeType) }
        // Other programs convert text to UTF-8. Here, it is converted back to the charset that the response declares.
        let charset = own == nil ? headers.textEncoding : nil
        if let data = try text(content, content["encoding"], charset ?? .utf8) {
            return HAR.Content(data, mimeType: mimeType)
        }
        let size = Int(clamping: Int64(max(0, min(content["size"]?.number ?? 0, 1e15))))
        return size == 0 ? HAR.Content(Data(), mimeType: mimeType) : .init(unrecorded: size, mimeType: mimeType)
    }

    private func requestContent(_ request: [String: JSONValue]) throws -> HAR.Content? {
        guard let content = try request.member("postData", \.object) else { return nil }
        let mimeType = try content.member("mimeType", \.string) ?? ""
        if let size = try own?.member("requestSize", \.int) {
            return HAR.Content(unrecorded: max(0, size), mimeType: mimeType)
        }
        let encoding = own?["requestEncoding"] ?? (isVersion13 ? content["encoding"] : nil)
        if let data = try attached("requestFile") ?? text(content, encoding, .utf8) {
            return HAR.Content(data, mimeType: mimeType)
        }
        let pairs = try (content.member("params", \.array) ?? []).map { pair in
            [pair["name"]?.text, pair["value"]?.text].compactMap { $0?.percentEncoded(allowing: .segment) }
                .joined(separator: "=")
        }
        return HAR.Content(Data(pairs.joined(separator: "&").utf8), mimeType: mimeType)
    }

    private func text(
        _ content: [String: JSONValue], _ encoding: JSONValue?, _ charset: String.Encoding
    ) throws -> Data? {
        guard let text = try content.member("text", \.string) else { return nil }
        guard let encoding = encoding?.text, !encoding.isEmpty else {
            return text.data(using: charset) ?? Data(text.utf8)
        }
        guard encoding.lowercased() == "base64" else {
            throw HARError("its content has the encoding \(encoding.debugDescription), and only base64 is defined")
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw HARError("its content is not base64")
        }
        return data
    }

    /// Reads the file whose name is a member of ``own``.
    private func attached(_ member: String) throws -> Data? {
        guard let name = try own?.member(member, \.string) else { return nil }
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains(where: { "/\\\0".contains($0) }) else {
            throw HARAttachmentError(
                description:
                    "\(name.debugDescription), which is not the name of a file in the directory of the archive. "
                    + "Record it again.")
        }
        do {
            return try attachment(name)
        } catch {
            throw HARAttachmentError(
                description: "the file \(name), which cannot be read. Keep it next to the archive, or record it again "
                    + "(\(error.localizedDescription)).")
        }
    }

    private var timings: HAR.Timings {
        func duration(_ name: String) -> Duration? {
            source["timings"]?[name]?.number.flatMap { $0 >= 0 ? Duration(clampedSeconds: $0 / 1000) : nil }
        }
        var timings = HAR.Timings()
        timings.blocked = duration("blocked")
        timings.dns = duration("dns")
        timings.connect = duration("connect")
        timings.ssl = duration("ssl")
        timings.send = duration("send") ?? .zero
        timings.wait = duration("wait") ?? .zero
        timings.receive = duration("receive") ?? .zero
        return timings
    }

    /// Omits pseudo-header fields and invalid names, and splits values that a browser has joined by line feeds.
    private static func headers(_ fields: [JSONValue]?) -> HTTPHeaders {
        HTTPHeaders(
            fields: (fields ?? []).flatMap { field -> [HTTPHeaders.Field] in
                guard let name = field["name"]?.string, name.isToken else { return [] }
                return (field["value"]?.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map {
                    line in
                    let value = line.trimmingCharacters(in: .whitespacesAndNewlines).utf8.filter { !$0.isControl }
                    return HTTPHeaders.Field(name: name, value: String(decoding: value, as: UTF8.self))
                }
            })
    }

    /// Returns the version as this package spells it, such as `HTTP/2`; browsers write `h2` and `http/2.0`.
    private static func version(_ source: JSONValue?) -> String {
        switch source?.string?.lowercased() ?? "" {
        case "h2", "http/2", "http/2.0", "http/2+quic/46": "HTTP/2"
        case "h3", "http/3", "http/3.0", "h3-29": "HTTP/3"
        case let text: text.hasPrefix("http/") ? text.uppercased() : ""
        }
    }
}

extension [String: JSONValue] {
    /// `nil` if the member is missing or null; throws an error if it has another type.
    fileprivate func member<Member>(_ name: String, _ value: (JSONValue) -> Member?) throws -> Member? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let value = value(member) else { throw HARError("its \(name) has the wrong type") }
        return value
    }
}

extension JSONValue {
    /// A number, which Internet Explorer writes as a string.
    fileprivate var number: Double? { double ?? string.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) } }

    /// A text; some programs write the values of a query as numbers.
    fileprivate var text: String? { isNull ? nil : string ?? "\(foundationObject)" }
}

extension Date {
    fileprivate init?(archived text: String) {
        // Internet Explorer writes marks of the writing direction, and seven digits after the decimal point.
        let text = String(text.unicodeScalars.filter { $0 != "\u{200E}" && $0 != "\u{200F}" })
        let fraction = text.firstMatch(of: /\.[0-9]*/)?.output ?? ""
        guard let date = ISO8601DateFormatter().date(from: text.replacing(/\.[0-9]*/, with: "", maxReplacements: 1))
        else { return nil }
        let seconds = date.timeIntervalSince1970 + (Double("0\(fraction)") ?? 0)
        self = Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
    }
}
