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

    /// Returns the first difference; `nil` if there is none.
    ///
    /// - Parameter isExact: whether `***` in the recorded request stands only for itself. Otherwise, it stands for any
    ///   text: another message of the recording may have named the value as secret, and this test has not received it
    ///   yet, or has no credentials.
    func difference(from recorded: RequestSignature, isExact: Bool = false) -> Difference? {
        func differ(_ rank: Int, _ what: String, _ actual: String, _ expected: String) -> Difference {
            Difference(rank: rank, text: "\(what) is \(actual) instead of \(expected)")
        }
        if origin != recorded.origin { return differ(0, "the origin", origin, recorded.origin) }
        if !path.isEqual(toPath: recorded.path, isExact) { return differ(1, "the path", path, recorded.path) }
        if method != recorded.method { return differ(2, "the method", method, recorded.method) }
        if let text = Self.difference("the query parameter", query, recorded.query, isExact) {
            return Difference(rank: 3, text: text)
        }
        for (actual, expected) in zip(headers, recorded.headers)
        where !actual.value.isEqual(to: expected.value, isExact) {
            return differ(
                4, "the header \(actual.name)", actual.value?.debugDescription ?? "missing",
                expected.value?.debugDescription ?? "missing")
        }
        return content.difference(from: recorded.content, isExact).map { Difference(rank: 5, text: $0) }
    }

    /// The number of equal segments with which both paths begin.
    func commonSegments(with recorded: RequestSignature) -> Int {
        zip(path.split(separator: "/"), recorded.path.split(separator: "/")).prefix { $0 == $1 }.count
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
        _ what: String, _ actual: [String: [String]], _ expected: [String: [String]], _ isExact: Bool
    ) -> String? {
        for name in Set(actual.keys).union(expected.keys).sorted()
        where !(actual[name] ?? []).isEqual(to: expected[name] ?? [], isExact) {
            let texts = [actual[name], expected[name]].map { values in
                values.map { $0.map(\.debugDescription).joined(separator: ", ") } ?? "missing"
            }
            return "\(what) \(name.debugDescription) is \(texts[0]) instead of \(texts[1])"
        }
        return nil
    }
}

extension RequestSignature.Content {
    fileprivate func difference(from recorded: Self, _ isExact: Bool) -> String? {
        switch (self, recorded) {
        case (.unknown, _), (_, .unknown): nil
        case (.json(let actual), .json(let expected)): actual.difference(from: expected, at: "", isExact)
        case (.form(let actual), .form(let expected)):
            RequestSignature.difference("the form field", actual, expected, isExact)
        case (.data(let actual), .data(let expected)) where actual.isEqual(to: expected, isExact): nil
        case (.data(let actual), .data(let expected)):
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

    fileprivate func difference(from expected: JSONValue, at path: String, _ isExact: Bool) -> String? {
        switch (self, expected) {
        case (.object(let left), .object(let right)):
            return Set(left.keys).union(right.keys).sorted().lazy.compactMap { name in
                guard let expected = right[name] else { return "\(path)/\(name) of the content was not recorded" }
                guard let actual = left[name] else {
                    return !isExact && expected == .string("***") ? nil : "\(path)/\(name) is missing in the content"
                }
                return actual.difference(from: expected, at: "\(path)/\(name)", isExact)
            }.first
        case (.array(let left), .array(let right)) where left.count == right.count:
            return zip(left, right).enumerated().lazy.compactMap { index, pair in
                pair.0.difference(from: pair.1, at: "\(path)/\(index)", isExact)
            }.first
        case (.string(let left), .string(let right)) where left.isEqual(to: right, isExact): return nil
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
    /// Whether the text equals a recorded one, in which `***` stands for any text unless `isExact`.
    fileprivate func isEqual(to recorded: String, _ isExact: Bool) -> Bool {
        guard !isExact, recorded.contains("***") else { return self == recorded }
        let parts = recorded.components(separatedBy: "***")
        guard hasPrefix(parts[0]) else { return false }
        var rest = dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }

    /// The same for each segment of a path.
    fileprivate func isEqual(toPath recorded: String, _ isExact: Bool) -> Bool {
        let (segments, others) = (components(separatedBy: "/"), recorded.components(separatedBy: "/"))
        return segments.count == others.count && zip(segments, others).allSatisfy { $0.isEqual(to: $1, isExact) }
    }

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

extension String? {
    /// The same for a value that may be missing: a secret may be left out.
    fileprivate func isEqual(to recorded: String?, _ isExact: Bool) -> Bool {
        guard let self, let recorded else { return self == recorded || !isExact && recorded == "***" }
        return self.isEqual(to: recorded, isExact)
    }
}

extension [String] {
    /// The same for sorted values of one name.
    fileprivate func isEqual(to recorded: [String], _ isExact: Bool) -> Bool {
        guard self != recorded else { return true }
        guard !isExact else { return false }
        var (rest, others) = (self, [String]())
        for value in recorded {
            if let index = rest.firstIndex(of: value) { rest.remove(at: index) } else { others.append(value) }
        }
        if rest.isEmpty { return others.allSatisfy { $0 == "***" } }
        // The order of placeholders is not that of the values; the longest pattern is the most specific one.
        return rest.count == others.count
            && others.sorted { $0.count > $1.count }.allSatisfy { pattern in
                let index = rest.firstIndex { $0.isEqual(to: pattern, isExact) }
                if let index { rest.remove(at: index) }
                return index != nil
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
    /// The same for content.
    fileprivate func isEqual(to recorded: Data, _ isExact: Bool) -> Bool {
        guard self != recorded else { return true }
        guard let text = String(validating: self, as: UTF8.self),
            let recorded = String(validating: recorded, as: UTF8.self)
        else { return false }
        return text.isEqual(to: recorded, isExact)
    }

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
