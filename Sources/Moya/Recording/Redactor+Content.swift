import Foundation

extension Redactor {
    /// The formats of content; they determine how secrets are found.
    private enum ContentFormat {
        case json, form, multipart, text, other

        /// The media types of text besides `text/…` and `…+xml`.
        private static let texts = [
            "application/graphql", "application/javascript", "application/jsonl", "application/x-ndjson",
            "application/xml",
        ]

        init(_ mimeType: String) {
            let type = mimeType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            if type == "application/json" || type.hasSuffix("+json") {
                self = .json
            } else if type == "application/x-www-form-urlencoded" {
                self = .form
            } else if type.hasPrefix("multipart/") {
                self = .multipart
            } else if type.isEmpty || type.hasPrefix("text/") || type.hasSuffix("+xml") || Self.texts.contains(type) {
                self = .text
            } else {
                self = .other
            }
        }
    }

    /// Returns content with its secrets replaced; content that is not text is unchanged.
    mutating func content(_ content: HAR.Content, type: String?) -> HAR.Content {
        guard let data = content.data, !data.isEmpty else { return content }
        let redacted = self.data(data, type ?? content.mimeType)
        return redacted == data ? content : HAR.Content(redacted, mimeType: content.mimeType)
    }

    private mutating func data(_ data: Data, _ mimeType: String) -> Data {
        switch ContentFormat(mimeType) {
        case .json: return json(data) ?? lines(data)
        case .form: return Data(form(String(decoding: data, as: UTF8.self)).utf8)
        case .multipart:
            guard var form = ParsedMultipart(data, type: mimeType) else { return data }
            let parsed = form.data(boundary: form.boundary)
            for index in form.parts.indices { form.parts[index].content = part(form.parts[index]) }
            let redacted = form.data(boundary: form.boundary)
            // `redacted` lacks the preamble and the epilogue of `data`. So `data` is returned if nothing was replaced.
            return redacted == parsed ? data : redacted
        case .text: return json(data) ?? lines(data)
        case .other: return data
        }
    }

    private mutating func part(_ part: ParsedMultipart.Part) -> Data {
        if !part.isFile, let name = part.name, redaction.hides(name),
            let text = String(validating: part.content, as: UTF8.self)
        {
            return Data(placeholder(for: text).utf8)
        }
        return data(part.content, part.mimeType ?? (part.isFile ? "application/octet-stream" : "text/plain"))
    }

    /// Returns JSON with its secrets replaced; returns `nil` for data that is not a JSON object or array.
    private mutating func json(_ data: Data) -> Data? {
        guard let first = data.prefix(64).first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let value = try? JSONValue(data: data)
        else { return nil }
        let redacted = json(value)
        guard redacted != value else { return data }
        return try? JSONSerialization.data(
            withJSONObject: redacted.foundationObject, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Returns text with the known secrets replaced.
    ///
    /// In a line that is JSON, with or without the prefix `data:`, values under sensitive names are replaced, too.
    private mutating func lines(_ data: Data) -> Data {
        guard let text = String(validating: data, as: UTF8.self) else {
            // Data that is not valid UTF-8 is read as Latin 1, in which each byte is one character.
            guard let text = String(data: data, encoding: .isoLatin1) else { return data }
            return replacingSecrets(in: text).data(using: .isoLatin1) ?? data
        }
        guard data.range(of: Data("{".utf8)) != nil else { return Data(replacingSecrets(in: text).utf8) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let start = line.hasPrefix("data:") ? line.index(line.startIndex, offsetBy: 5) : line.startIndex
            guard let redacted = json(Data(line[start...].utf8)) else { return String(line) }
            return line[..<start] + String(decoding: redacted, as: UTF8.self)
        }
        return Data(replacingSecrets(in: lines.joined(separator: "\n")).utf8)
    }
}
