import Foundation
import MoyaHTTP

extension Redactor {
    // Replaces secrets wherever they occur; a value with a sensitive name in one entry is replaced in all of them.
    // If the result would still contain a secret, throws an error; or, if `dropsContent`, leaves out the content that
    // contains it.
    package mutating func redact(_ archive: HAR, dropsContent: Bool = false) throws(HARError) -> HAR {
        guard redaction.names != nil else { return archive }
        // The limit prevents an overflow, because the placeholders of a file may have any number.
        for entry in archive.entries { lastNumber = max(lastNumber, min(entry.highestPlaceholder, 1 << 30)) }
        // The first pass finds the secrets, the second one replaces them.
        for entry in archive.entries { _ = self.entry(entry) }
        var result = archive
        result.entries = archive.entries.map { entry($0) }
        for (index, entry) in result.entries.enumerated() {
            guard var place = secretPlace(in: entry) else { continue }
            if dropsContent {
                result.entries[index] = entry.withoutContent
                guard let remaining = secretPlace(in: result.entries[index]) else { continue }
                place = remaining
            }
            throw HARError(
                "entry \(index + 1), \(entry.request.method) \(entry.request.url.host() ?? ""), may have a secret in "
                    + "the \(place), which cannot be replaced there; have the server send text without compression, "
                    + "leave the request out of the recording, or name the value in "
                    + "RecordingRedaction.secretNames(keeping:) if it is not secret")
        }
        return result
    }

    /// Secrets are the values with sensitive names in this request and in everything redacted before.
    package mutating func redact(_ request: HAR.Request) -> HAR.Request {
        guard redaction.names != nil else { return request }
        _ = self.request(request)
        return self.request(request)
    }

    private mutating func entry(_ entry: HAR.Entry) -> HAR.Entry {
        var entry = entry
        entry.request = request(entry.request)
        if let text = entry.failure?.description { entry.failure?.description = self.text(text) }
        if let response = entry.response { entry.response = self.response(response) }
        return entry
    }

    private mutating func request(_ request: HAR.Request) -> HAR.Request {
        var result = request
        result.method = HTTPMethod(rawValue: replacingSecrets(in: request.method.rawValue))
        result.version = replacingSecrets(in: request.version)
        result.url = URL(string: url(request.url.absoluteString)) ?? request.url
        result.headers = headers(request.headers)
        result.content = request.content.map { content in
            // Compressed content cannot be searched.
            guard request.headers.hasContentCoding else {
                return self.content(content, type: request.headers["Content-Type"])
            }
            return HAR.Content(unrecorded: content.size, mimeType: replacingSecrets(in: content.mimeType))
        }
        return result
    }

    private mutating func response(_ response: HAR.Response) -> HAR.Response {
        var result = response
        result.version = replacingSecrets(in: response.version)
        result.headers = headers(response.headers)
        result.trailers = headers(response.trailers)
        result.content = content(response.content, type: response.headers["Content-Type"])
        guard let data = result.content.data else {
            result.chunks = []
            return result
        }
        guard let former = response.content.data, former != data else { return result }
        if response.headers["Content-Length"] == String(former.count) {
            result.headers["Content-Length"] = String(data.count)
        }
        result.chunks = response.chunks.moved(from: former, to: data)
        return result
    }

    /// The part that may still contain a secret, such as `URL`, or compressed content, which can't be searched.
    private func secretPlace(in entry: HAR.Entry) -> String? {
        let request = entry.request
        if finds(in: request.method.rawValue.utf8) { return "method" }
        if finds(in: request.url.absoluteString.utf8) { return "URL" }
        if finds(in: request.headers.fields) || finds(in: (request.content?.mimeType ?? "").utf8) {
            return "header fields of the request"
        }
        if let data = request.content?.data, finds(in: data) { return "content of the request" }
        if let text = entry.failure?.description, finds(in: text.utf8) { return "error" }
        guard let response = entry.response else { return nil }
        if finds(in: response.headers.fields + response.trailers.fields) || finds(in: response.content.mimeType.utf8) {
            return "header fields of the response"
        }
        guard let data = response.content.data, !data.isEmpty else { return nil }
        if finds(in: data) {
            let type = response.headers["Content-Type"] ?? response.content.mimeType
            return "content of the response, of the type \(type.debugDescription)"
        }
        return entry.hasUndecodedContent
            ? "content of the response, which is compressed because the request has an Accept-Encoding" : nil
    }

    private func finds(in fields: [HTTPHeaders.Field]) -> Bool {
        fields.contains { finds(in: $0.name.utf8) || finds(in: $0.value.utf8) }
    }
}

extension HAR.Entry {
    /// Whether the content of the response is compressed, because transports decode only what they ask for.
    var hasUndecodedContent: Bool {
        guard let response, let data = response.content.data, !data.isEmpty else { return false }
        let isUndecoded = request.headers["Accept-Encoding"] != nil || request.headers["Range"] != nil
        return response.headers.hasContentCoding && isUndecoded && String(validating: data, as: UTF8.self) == nil
    }

    /// The highest number in placeholders of secrets, such as 2 in `***2`; 0 if the entry has no placeholder.
    fileprivate var highestPlaceholder: Int {
        var texts = [request.url.absoluteString] + request.headers.fields.map(\.value)
        texts += (response?.headers.fields ?? []).map(\.value) + (response?.trailers.fields ?? []).map(\.value)
        for data in [request.content?.data, response?.content.data].compactMap(\.self)
        where data.range(of: Data("***".utf8)) != nil {
            texts.append(String(decoding: data, as: UTF8.self))
        }
        return texts.lazy.filter { $0.contains("***") }.flatMap { text in
            text.components(separatedBy: "***").dropFirst().map { Int($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
        }.max() ?? 0
    }
}

extension [HAR.Chunk] {
    // Adapts the offsets to content whose length has changed because its secrets were replaced. Each chunk keeps its
    // line if both texts have as many lines; otherwise, offsets scale with the text's length.
    fileprivate func moved(from unredacted: Data, to redacted: Data) -> [HAR.Chunk] {
        let (unredacted, redacted) = (unredacted.lineStarts, redacted.lineStarts)
        guard let unredactedEnd = unredacted.last, let end = redacted.last, unredactedEnd > 0 else { return [] }
        var result: [HAR.Chunk] = []
        for chunk in self {
            var offset = Int(clamping: Double(chunk.offset) / Double(unredactedEnd) * Double(end))
            if unredacted.count == redacted.count, let line = unredacted.lastIndex(where: { $0 <= chunk.offset }),
                line + 1 < redacted.count
            {
                offset = Swift.min(redacted[line] + chunk.offset - unredacted[line], redacted[line + 1])
            }
            // The offsets must ascend from 0, so only the first chunk at each offset is kept.
            if offset < end, result.last.map({ $0.offset < offset }) ?? (offset == 0) {
                result.append(HAR.Chunk(offset: offset, time: chunk.time))
            }
        }
        return result
    }
}

extension Data {
    /// The offsets at which the lines start, and of the end of the text.
    fileprivate var lineStarts: [Int] {
        var starts = [0]
        for (offset, byte) in enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        if starts.last != count || starts.count == 1 { starts.append(count) }
        return starts
    }
}
