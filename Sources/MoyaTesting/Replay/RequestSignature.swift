import Foundation
import Moya

/// The method, URL, header fields and content of a request in a normal form, for the comparison with a recorded
/// request.
struct RequestSignature: Sendable {
    struct Difference {
        /// The number of parts, such as the origin and the path, that are equal before the first difference; the most
        /// similar recorded request has the highest rank.
        let rank: Int
        let text: String
    }

    enum Content: Sendable, Equatable {
        case none
        /// Content that is not compared, because it was not recorded or `RequestMatching` ignores content.
        case unknown
        case json(JSONValue)
        case form([String: [String]])
        case data(Data)
    }

    let method: String
    let origin: String
    let path: String
    /// The values of each query parameter, sorted.
    let query: [String: [String]]
    let headers: [(name: String, value: String?)]
    let content: Content

    /// Creates the signature of a redacted request; `matching` determines what is compared.
    init(_ request: HAR.Request, _ matching: RequestMatching) {
        method = request.method.rawValue
        let url = request.url
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        origin = "\(scheme)://\(url.host()?.lowercased() ?? "")\(port)"
        path = Self.normalized(path: url.path(percentEncoded: true)).withoutNumbers
        query = Self.pairs(url.query(percentEncoded: true) ?? "", matching)
        headers = matching.headers.map { ($0, request.headers[$0]?.withoutNumbers) }
        content = matching.comparesContent ? Self.content(request, matching) : .unknown
    }

    func difference(from recorded: RequestSignature) -> Difference? {
        func differ(_ rank: Int, _ what: String, _ actual: String, _ expected: String) -> Difference {
            Difference(rank: rank, text: "\(what) is \(actual) instead of \(expected)")
        }
        if origin != recorded.origin { return differ(0, "the origin", origin, recorded.origin) }
        if path != recorded.path { return differ(1, "the path", path, recorded.path) }
        if method != recorded.method { return differ(2, "the method", method, recorded.method) }
        if let text = Self.difference("the query parameter", query, recorded.query) {
            return Difference(rank: 3, text: text)
        }
        for (actual, expected) in zip(headers, recorded.headers) where actual.value != expected.value {
            return differ(
                4, "the header \(actual.name)", actual.value?.debugDescription ?? "missing",
                expected.value?.debugDescription ?? "missing")
        }
        return content.difference(from: recorded.content).map { Difference(rank: 5, text: $0) }
    }

    private static func content(_ request: HAR.Request, _ matching: RequestMatching) -> Content {
        guard let content = request.content else { return .none }
        guard let data = content.data else { return .unknown }
        guard !data.isEmpty else { return .none }
        let type = request.headers["Content-Type"] ?? content.mimeType
        let name = type.mediaType
        if name == "application/x-www-form-urlencoded" {
            return .form(pairs(String(decoding: data, as: UTF8.self), matching))
        }
        if var form = ParsedMultipart(data, type: type) {
            form.parts.removeAll { $0.name.map(matching.ignoredNames.contains) ?? false }
            return .data(form.data(boundary: "boundary").withoutNumbers)
        }
        if name.isEmpty || name == "application/json" || name.hasSuffix("+json"), let json = try? JSONValue(data: data)
        {
            return .json(json.normalized(matching.ignoredNames))
        }
        return .data(data.withoutNumbers)
    }

    private static func pairs(_ text: String, _ matching: RequestMatching) -> [String: [String]] {
        var result: [String: [String]] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.formDecoded)
            guard !matching.ignoredNames.contains(parts[0]) else { continue }
            result[parts[0], default: []].append(parts.count > 1 ? parts[1].withoutNumbers : "")
        }
        return result.mapValues { $0.sorted() }
    }

    /// Returns a path without dot segments, and with normalized percent-encoding (RFC 3986, section 6.2.2).
    private static func normalized(path: String) -> String {
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in all.enumerated() {
            let isLast = index == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return "/" + segments.map { $0.withNormalizedEscapes }.joined(separator: "/")
    }

    fileprivate static func difference(
        _ what: String, _ actual: [String: [String]], _ expected: [String: [String]]
    ) -> String? {
        for name in Set(actual.keys).union(expected.keys).sorted() where actual[name] != expected[name] {
            let texts = [actual[name], expected[name]].map { values in
                values.map { $0.map(\.debugDescription).joined(separator: ", ") } ?? "missing"
            }
            return "\(what) \(name.debugDescription) is \(texts[0]) instead of \(texts[1])"
        }
        return nil
    }
}

extension RequestSignature.Content {
    fileprivate func difference(from recorded: Self) -> String? {
        switch (self, recorded) {
        case (.unknown, _), (_, .unknown): nil
        case (.json(let actual), .json(let expected)): actual.difference(from: expected, at: "")
        case (.form(let actual), .form(let expected)):
            RequestSignature.difference("the form field", actual, expected)
        case (.data(let actual), .data(let expected)) where actual != expected:
            "the content of \(actual.count) bytes differs from \(expected.count) bytes at offset "
                + "\(zip(actual, expected).prefix { $0 == $1 }.count)"
        default: self == recorded ? nil : "the content is \(name) instead of \(recorded.name)"
        }
    }

    private var name: String {
        switch self {
        case .none: "missing"
        case .unknown: "not known"
        case .json: "JSON"
        case .form: "a form"
        case .data(let data): "\(data.count) bytes"
        }
    }
}

extension JSONValue {
    /// Returns the value in a normal form for comparison.
    ///
    /// The members named in `ignored` are removed. A numbered placeholder of a secret, such as `***2`, becomes `***`. A
    /// double that is a whole number becomes an integer.
    fileprivate func normalized(_ ignored: Set<String>) -> JSONValue {
        switch self {
        case .object(let members):
            .object(members.filter { !ignored.contains($0.key) }.mapValues { $0.normalized(ignored) })
        case .array(let elements): .array(elements.map { $0.normalized(ignored) })
        case .string(let text): .string(text.withoutNumbers)
        case .double(let number): Int64(exactly: number).map { .int($0) } ?? self
        default: self
        }
    }

    fileprivate func difference(from expected: JSONValue, at path: String) -> String? {
        switch (self, expected) {
        case (.object(let left), .object(let right)):
            for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
                guard let actual = left[name] else { return "\(path)/\(name) is missing in the content" }
                guard let expected = right[name] else { return "\(path)/\(name) of the content was not recorded" }
                return actual.difference(from: expected, at: "\(path)/\(name)")
            }
            return nil
        case (.array(let left), .array(let right)) where left.count == right.count:
            return zip(left, right).enumerated().lazy.compactMap { index, pair in
                pair.0.difference(from: pair.1, at: "\(path)/\(index)")
            }.first
        default:
            let place = path.isEmpty ? "/" : path
            return self == expected ? nil : "\(place) of the content is \(text) instead of \(expected.text)"
        }
    }

    private var text: String {
        switch self {
        case .string(let text): text.debugDescription
        case .array(let elements): "an array of \(elements.count)"
        case .object: "an object"
        default: "\(foundationObject)"
        }
    }
}

extension String {
    /// The text with `***` in place of each numbered placeholder of a secret, such as `***2`.
    ///
    /// Secrets are numbered in the order of their occurrence, which differs between a recording and its replay.
    fileprivate var withoutNumbers: String {
        guard contains("***") else { return self }
        let parts = components(separatedBy: "***")
        return parts.dropFirst().reduce(into: parts[0]) { text, part in
            text += "***"
            text += part.drop { $0.isASCII && $0.isNumber }
        }
    }
}

extension Substring {
    /// The text with percent-encoded unreserved characters decoded, and all other percent-encodings in upper case.
    fileprivate var withNormalizedEscapes: String {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            guard part.count >= 2, let byte = UInt8(part.prefix(2), radix: 16) else { return text += "%" + part }
            let character = Character(UnicodeScalar(byte))
            let isUnreserved =
                character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            text += isUnreserved ? String(character) : "%" + part.prefix(2).uppercased()
            text += part.dropFirst(2)
        }
    }
}

extension Data {
    /// Content that is not text may have placeholders, too, such as a form with an image.
    fileprivate var withoutNumbers: Data {
        var (result, rest) = (Data(), self[...])
        while let mark = rest.range(of: Data("***".utf8)) {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...].drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return result + rest
    }
}

extension HAR.Request {
    /// Whether a value is the placeholder of a secret, such as `***2`, which a replayed response has contained.
    var hasPlaceholders: Bool {
        let content = content?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (["\(url)", content] + headers.fields.map(\.value)).contains { $0.contains(/\*\*\*[0-9]/) }
    }
}
