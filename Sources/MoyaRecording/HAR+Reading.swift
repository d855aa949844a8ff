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
        // Internet Explorer may write UTF-16.
        let text = EncodedText(data, mimeType: "application/json").map { Data($0.string.utf8) }
        let file: HARFile
        do {
            file = try JSONDecoder().decode(HARFile.self, from: text ?? data)
        } catch let error as DecodingError {
            throw HARError("\(name) is not a HAR file: \(error.reasonWithoutContent); export or record it again")
        }
        let version = file.log.version ?? ""
        guard version.isEmpty || version == "1" || version.hasPrefix("1.") else {
            throw HARError(
                "\(name) has the version \(version.debugDescription) of the format HAR: convert it to version 1.2")
        }
        creator = Creator(name: file.log.creator?.name ?? "", version: file.log.creator?.version ?? "")
        let isWrittenByMoya = creator.name == Creator.moya.name
        entries = []
        for (index, entry) in (file.log.entries ?? []).enumerated() {
            let place = "entry \(index + 1) of \(name)"
            do {
                let reader = HAREntryReader(
                    source: try entry.entry.get(), isWrittenByMoya: isWrittenByMoya, isVersion13: version == "1.3",
                    place: place, attachment: attachment)
                if let entry = try reader.entry() { entries.append(entry) }
            } catch let error as HARAttachmentError {
                throw error.error
            } catch let error as HARError {
                unreadable.append(error)
            } catch {
                let reason = (error as? DecodingError)?.reasonWithoutContent ?? "\(error)"
                unreadable.append(HARError("\(place) cannot be read: \(reason); export or record it again"))
            }
        }
        if entries.isEmpty, let error = unreadable.first { throw error }
    }
}

/// The error of content in a separate file, for which the whole archive is unreadable.
private struct HARAttachmentError: Error {
    let error: HARError
}

private struct HAREntryReader {
    let source: HARFile.Entry
    let isWrittenByMoya: Bool
    let isVersion13: Bool
    let place: String
    let attachment: (String) throws -> Data

    private var own: HARFile.MoyaExtension? { isWrittenByMoya ? source._moya : nil }

    /// Returns the entry; returns `nil` if its URL is not an http or https URL.
    func entry() throws -> HAR.Entry? {
        guard let request = source.request, let method = request.method, let text = request.url else {
            throw HARError("\(place) has no method or no URL. Export or record it again.")
        }
        guard let url = URL(keepingEscapesIn: String(text.prefix { $0 != "#" })),
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host() != nil
        else { return nil }
        guard let start = Date(archived: source.startedDateTime ?? "") else {
            let text = (source.startedDateTime ?? "").debugDescription
            throw HARError(
                "\(place) has the startedDateTime \(text), which is not a date of ISO 8601. Write it as "
                    + "2026-01-31T12:00:00.000Z.")
        }
        var result = HAR.Entry(
            start: start,
            request: HAR.Request(
                method: HTTPMethod(rawValue: method), url: url, headers: Self.headers(request.headers),
                content: try requestContent(request.postData)))
        result.request.version = Self.version(request.httpVersion)
        result.attempt = max(1, own?.attempt ?? 1)
        result.timings = timings
        result.failure = own?.failure.map { HAR.Failure(code: $0.code, description: $0.text) }
        if let response = source.response, let status = response.status?.value, status >= 1 {
            result.response = try self.response(Int(exactly: status.rounded()) ?? 0, response)
        } else if result.failure == nil {
            result.failure = HAR.Failure(
                code: URLError.Code.unknown.rawValue, description: "\(place) has no response: its status is 0")
        }
        return result
    }

    private func response(_ status: Int, _ response: HARFile.Response) throws -> HAR.Response {
        let headers = Self.headers(response.headers)
        var result = HAR.Response(
            statusCode: status, version: Self.version(response.httpVersion), headers: headers,
            content: try content(response.content, headers))
        result.trailers = Self.headers(own?.trailers)
        let count = result.content.data?.count ?? 0
        result.chunks = (own?.chunks ?? []).map {
            HAR.Chunk(offset: $0.offset, time: .init(clampedSeconds: $0.time / 1000))
        }
        // A replay needs ascending offsets, from 0 and within the content. If any is wrong, all chunks are discarded.
        let offsets = result.chunks.map(\.offset)
        let isAscending = zip(offsets, offsets.dropFirst() + [count]).allSatisfy(<)
        if !isAscending || offsets.first ?? 0 != 0 { result.chunks = [] }
        return result
    }

    private func content(_ content: HARFile.Content?, _ headers: HTTPHeaders) throws -> HAR.Content {
        let mimeType = content?.mimeType ?? ""
        if let name = own?.responseFile { return HAR.Content(try attached(name), mimeType: mimeType) }
        guard let text = content?.text else {
            let size = Int(clamping: Int64(max(0, min(content?.size?.value ?? 0, 1e15))))
            return size == 0 ? HAR.Content(Data(), mimeType: mimeType) : .init(unrecorded: size, mimeType: mimeType)
        }
        // Other programs convert text to UTF-8. Here, it is converted back to the charset that the response declares.
        let charset = isWrittenByMoya ? nil : headers.textEncoding
        return HAR.Content(try decoded(text, content?.encoding, charset ?? .utf8), mimeType: mimeType)
    }

    private func requestContent(_ content: HARFile.PostData?) throws -> HAR.Content? {
        guard let content else { return nil }
        let mimeType = content.mimeType ?? ""
        if let size = own?.requestSize { return HAR.Content(unrecorded: max(0, size), mimeType: mimeType) }
        if let name = own?.requestFile { return HAR.Content(try attached(name), mimeType: mimeType) }
        guard let text = content.text else {
            let pairs = (content.params ?? []).map { pair in
                [pair.name, pair.value].compactMap { $0?.percentEncoded(allowing: .segment) }.joined(separator: "=")
            }
            return HAR.Content(Data(pairs.joined(separator: "&").utf8), mimeType: mimeType)
        }
        let encoding = own?.requestEncoding ?? (isVersion13 ? content.encoding : nil)
        return HAR.Content(try decoded(text, encoding, .utf8), mimeType: mimeType)
    }

    private func decoded(_ text: String, _ encoding: String?, _ charset: String.Encoding) throws -> Data {
        guard let encoding, !encoding.isEmpty else { return text.data(using: charset) ?? Data(text.utf8) }
        guard encoding.lowercased() == "base64" else {
            throw HARError(
                "\(place) has content with the encoding \(encoding.debugDescription): only base64 is defined")
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw HARError("\(place) has content that is not base64. Export or record it again.")
        }
        return data
    }

    private func attached(_ name: String) throws -> Data {
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains(where: { "/\\\0".contains($0) }) else {
            throw HARAttachmentError(
                error: HARError(
                    "\(place) has its content in \(name.debugDescription), which is not the name of a file in the "
                        + "directory of the archive. Record it again."))
        }
        do {
            return try attachment(name)
        } catch {
            throw HARAttachmentError(
                error: HARError(
                    "\(place) has its content in the file \(name), which cannot be read. Keep it next to the archive, "
                        + "or record it again (\(error.localizedDescription))."))
        }
    }

    private var timings: HAR.Timings {
        let own = source.timings
        func optional(_ time: HARFile.Number?) -> Duration? {
            time?.value.flatMap { $0 >= 0 ? Duration(clampedSeconds: $0 / 1000) : nil }
        }
        var timings = HAR.Timings()
        timings.blocked = optional(own?.blocked)
        timings.dns = optional(own?.dns)
        timings.connect = optional(own?.connect)
        timings.ssl = optional(own?.ssl)
        timings.send = optional(own?.send) ?? .zero
        timings.wait = optional(own?.wait) ?? .zero
        timings.receive = optional(own?.receive) ?? .zero
        return timings
    }

    /// Omits pseudo-header fields and invalid names, and splits values that a browser has joined by line feeds.
    private static func headers(_ fields: [HARFile.NameValuePair]?) -> HTTPHeaders {
        HTTPHeaders(
            fields: (fields ?? []).flatMap { field -> [HTTPHeaders.Field] in
                guard let name = field.name, name.isToken else { return [] }
                return (field.value ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { line in
                    let value = line.trimmingCharacters(in: .whitespacesAndNewlines).utf8.filter { !$0.isControl }
                    return HTTPHeaders.Field(name: name, value: String(decoding: value, as: UTF8.self))
                }
            })
    }

    /// Returns the version as this package spells it, such as `HTTP/2`; browsers write `h2` and `http/2.0`.
    private static func version(_ text: String?) -> String {
        switch text?.lowercased() ?? "" {
        case "h2", "http/2", "http/2.0", "http/2+quic/46": "HTTP/2"
        case "h3", "http/3", "http/3.0", "h3-29": "HTTP/3"
        case let text: text.hasPrefix("http/") ? text.uppercased() : ""
        }
    }
}

extension Date {
    fileprivate init?(archived text: String) {
        // Internet Explorer writes marks of the writing direction, and seven digits after the decimal point.
        let text = String(text.unicodeScalars.filter { $0 != "\u{200E}" && $0 != "\u{200F}" })
        var whole = text
        var fraction = 0.0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
            fraction = Double("0.\(digits)") ?? 0
            whole = String(text[..<point] + text[digits.endIndex...])
        }
        guard let date = ISO8601DateFormatter().date(from: whole) else { return nil }
        self = Date(timeIntervalSince1970: ((date.timeIntervalSince1970 + fraction) * 1000).rounded() / 1000)
    }
}
