import Foundation
import MoyaHTTP

extension Redactor {
    /// The types of content that is not text, and has no names of values in it.
    private static let mediaTypes = ["audio/", "font/", "image/", "video/"]

    /// Returns content with its secrets replaced; without its data if the data cannot be searched for secrets.
    mutating func content(_ content: HAR.Content, type: String?) -> HAR.Content {
        var result = content
        result.mimeType = replacingSecrets(in: content.mimeType)
        guard let data = content.data, !data.isEmpty else { return result }
        guard let redacted = self.data(data, type ?? content.mimeType) else {
            return HAR.Content(unrecorded: content.size, mimeType: result.mimeType)
        }
        return redacted == data ? result : HAR.Content(redacted, mimeType: result.mimeType)
    }

    /// Returns data with its secrets replaced; `nil` if there may be secrets that cannot be replaced.
    private mutating func data(_ data: Data, _ mimeType: String) -> Data? {
        let type = mimeType.mediaType
        // The names in multipart content that was cut off are not next to their values.
        if type.hasPrefix("multipart/") { return ParsedMultipart(data, type: mimeType).flatMap { multipart($0, data) } }
        guard let text = EncodedText(data, mimeType: mimeType) else {
            let isMedia = Self.mediaTypes.contains { type.hasPrefix($0) }
            return isMedia || !redaction.findsName(in: data) ? data : nil
        }
        let isForm = type == "application/x-www-form-urlencoded"
        let redacted = isForm ? json(text.string) ?? form(text.string) : self.text(text.string)
        return redacted == text.string ? data : text.data(redacted)
    }

    private mutating func multipart(_ form: ParsedMultipart, _ data: Data) -> Data? {
        var form = form
        let parsed = form.data(boundary: form.boundary)
        for index in form.parts.indices {
            guard let content = part(form.parts[index]) else { return nil }
            let fields = form.parts[index].head.components(separatedBy: "\r\n").map { field($0) }
            form.parts[index].head = replacingSecrets(in: fields.joined(separator: "\r\n"))
            form.parts[index].content = content
        }
        let redacted = form.data(boundary: form.boundary)
        // A preamble or an epilogue, which `redacted` lacks, is not searched.
        return redacted == parsed && data.count <= parsed.count ? data : redacted
    }

    /// A form in a form in a form, and so on, is not searched: it could overflow the stack.
    private static let maximumFormDepth = 8

    private mutating func part(_ part: ParsedMultipart.Part) -> Data? {
        guard formDepth < Self.maximumFormDepth else { return nil }
        formDepth += 1
        defer { formDepth -= 1 }
        if let name = part.name, redaction.hides(name) {
            return Data(secret(String(decoding: part.content, as: UTF8.self)).utf8)
        }
        return data(part.content, part.mimeType ?? (part.isFile ? "application/octet-stream" : "text/plain"))
    }

    /// If there are several lines, each may be JSON, with or without an event's prefix `data:`.
    mutating func text(_ text: String) -> String {
        if let json = json(text) { return json }
        guard text.utf8.contains(10), text.utf8.contains(UInt8(ascii: "{")) else {
            return replacingSecrets(in: scanned(text))
        }
        var result: [String] = []
        var others: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let start = line.hasPrefix("data:") ? line.index(line.startIndex, offsetBy: 5) : line.startIndex
            guard let json = json(String(line[start...])) else {
                others.append(line)
                continue
            }
            // The lines between two lines of JSON are searched together, because an element may span several lines.
            if !others.isEmpty { result.append(scanned(others.joined(separator: "\n"))) }
            others = []
            result.append(line[..<start] + json)
        }
        if !others.isEmpty { result.append(scanned(others.joined(separator: "\n"))) }
        return replacingSecrets(in: result.joined(separator: "\n"))
    }

    mutating func scanned(_ text: String) -> String {
        let redaction = redaction
        return SensitiveTextScanner.replaceSecrets(in: text) { name, value, isForm in
            redaction.hides(name, value, isForm: isForm)
        } with: { value, secrets in
            for text in secrets { _ = secret(text) }
            return placeholder(for: value, isKnown: false)
        }
    }

    private mutating func json(_ text: String) -> String? {
        guard let first = text.utf8.prefix(64).first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let value = try? JSONValue(data: Data(text.utf8))
        else { return nil }
        let redacted = json(value)
        // Of members with the same name, `value` has only the last one, so the others are not searched.
        guard redacted != value || value.memberCount < text.memberCount else { return text }
        let data = try? JSONSerialization.data(
            withJSONObject: redacted.foundationObject, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONValue {
    fileprivate var memberCount: Int {
        switch self {
        case .object(let members): members.values.reduce(members.count) { $0 + $1.memberCount }
        case .array(let elements): elements.reduce(0) { $0 + $1.memberCount }
        default: 0
        }
    }
}

extension String {
    /// The number of members in valid JSON, counting each of several with the same name.
    fileprivate var memberCount: Int {
        var count = 0
        var (isInString, isEscaped) = (false, false)
        for byte in utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: ":") where !isInString: count += 1
            default: break
            }
        }
        return count
    }
}
