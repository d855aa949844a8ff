import Foundation
package import MoyaHTTP

/// Replaces the secrets of requests and responses by placeholders; equal secrets have equal placeholders.
package struct Redactor: Sendable {
    /// Values that are not secret, even if they have a sensitive name.
    private static let plainValues: Set<String> = [
        "", "0", "basic", "bearer", "digest", "false", "nil", "none", "null", "true", "undefined",
    ]

    let redaction: RecordingRedaction
    private var numbers: [String: Int] = [:]
    var lastNumber = 0
    private var known: Set<String> = []
    private var knownSecrets = KnownSecretSearch()
    /// Secrets that may be words or numbers, with their placeholders: replaced where they are a whole segment of a
    /// path, such as a code that the next request repeats.
    private var wholeSecrets: [String: String] = [:]
    /// The length of the shortest value, in bytes, that may be secret by itself.
    fileprivate static let shortestWhole = 6
    /// Whether a secret is searched for secrets of its own, whose own are not searched.
    private var isInSecret = false
    /// How many forms contain the content that is redacted, one as a part of another.
    var formDepth = 0
    /// The known secrets in encodings that are found but not replaced.
    private var disguisedSecrets = KnownSecretSearch()

    package init(_ redaction: RecordingRedaction) {
        self.redaction = redaction
        for value in redaction.values.sorted() { _ = placeholder(for: value, matchesEverywhere: true) }
    }

    // Returns the placeholder of a secret, which is the same with and without escapes. Values in `plainValues` and
    // existing placeholders are returned unchanged.
    //
    // If `isKnown`, a value that is distinct (any value if `matchesEverywhere`) becomes a known secret, which
    // `replacingSecrets(in:)` replaces in texts.
    mutating func placeholder(for value: String, isKnown: Bool = true, matchesEverywhere: Bool = false) -> String {
        if Self.plainValues.contains(value.lowercased()) || value.isPlaceholder { return value }
        if let number = numbers[value], !isKnown || known.contains(value) { return "***\(number)" }
        let forms = Self.unescapedForms(of: value)
        let number = forms.compactMap { numbers[$0] }.first ?? lastNumber + 1
        lastNumber = max(lastNumber, number)
        let placeholder = "***\(number)"
        for form in forms {
            numbers[form] = number
            guard isKnown, matchesEverywhere || form.isDistinct else {
                if isKnown, form.utf8.count >= Self.shortestWhole { wholeSecrets[form] = placeholder }
                continue
            }
            guard known.insert(form).inserted else { continue }
            for text in SecretEncodings.replaced(form) { knownSecrets.add(text, placeholder: placeholder) }
            for text in SecretEncodings.refused(form) { disguisedSecrets.add(text, placeholder: placeholder) }
        }
        return placeholder
    }

    private static func unescapedForms(of value: String) -> [String] {
        var forms = [value]
        while forms.count < 4, let last = forms.last {
            let isQuoted = last.count > 2 && last.hasPrefix("\"") && last.hasSuffix("\"")
            let next =
                isQuoted
                ? String(last.dropFirst().dropLast()) : String(decoding: Array(last.utf8).unescaped, as: UTF8.self)
            guard next != last, !next.isEmpty, !next.contains("\u{FFFD}") else { break }
            forms.append(next)
        }
        return forms
    }

    func replacingSecrets(in text: String) -> String { knownSecrets.replacingSecrets(in: text) }

    /// Returns whether bytes contain a known secret: plain, in an encoding, in UTF-16, or behind escapes of escapes.
    func finds(in bytes: some Collection<UInt8>) -> Bool {
        guard !known.isEmpty else { return false }
        var bytes = bytes.contains(0) ? bytes.filter { $0 != 0 } : Array(bytes)
        if disguisedSecrets.finds(in: bytes) { return true }
        for _ in 0..<4 {
            if knownSecrets.finds(in: bytes) { return true }
            let unescaped = bytes.unescaped
            guard unescaped.count < bytes.count else { break }
            bytes = unescaped
        }
        return false
    }

    mutating func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var result = HTTPHeaders()
        for field in headers.fields {
            let value = header(field.name, field.value)
            result.add(replacingSecrets(in: field.name), replacingSecrets(in: value))
        }
        return result
    }

    /// Returns a line of the header of a part with its secrets replaced.
    mutating func field(_ line: String) -> String {
        guard let colon = line.firstIndex(of: ":") else { return line }
        let name = String(line[..<colon].trimmed)
        // The names of a form field and of a file are in the parameters.
        guard name.lowercased() != "content-disposition" else { return line }
        let value = String(line[line.index(after: colon)...].trimmed)
        let redacted = header(name, value)
        return redacted == value ? line : "\(name): \(redacted)"
    }

    private mutating func header(_ name: String, _ value: String) -> String {
        let lowercasedName = name.lowercased()
        if ["location", "content-location", "referer"].contains(lowercasedName) { return url(value) }
        guard !redaction.keeps(name) else { return value }
        switch lowercasedName {
        case "cookie":
            return value.split(separator: ";", omittingEmptySubsequences: false).map { cookie(String($0)) }
                .joined(separator: ";")
        case "set-cookie":
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return cookie(String(value[..<end])) + value[end...]
        default:
            let scheme = value.prefix { $0 != " " }.lowercased()
            let hasCredentials = scheme.utf8.count < value.utf8.count && (scheme == "basic" || scheme == "bearer")
            let isSecret = redaction.hides(name) && !isCount(name, value)
            return isSecret || hasCredentials ? secret(value) : text(value)
        }
    }

    /// `pair` is `name=value` or a value alone, unchanged if its name is exempt.
    private mutating func cookie(_ pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else {
            return pair.prefix { $0 == " " } + word(String(pair.trimmed))
        }
        guard !redaction.exempts(String(pair[..<equals].trimmed)) else { return pair }
        return pair[...equals] + word(String(pair[pair.index(after: equals)...]))
    }

    // Returns the placeholder of a value that may be secret, whatever its name is. Without a digit it is hardly a
    // secret, and may be a word that occurs elsewhere.
    private mutating func word(_ value: String) -> String {
        placeholder(for: value, isKnown: value.contains { $0.isNumber })
    }

    package mutating func secret(_ value: String, isNamed: Bool) -> String {
        isNamed || value.isHTTPURL || value.contains { $0.isNumber } ? secret(value) : word(value)
    }

    // Keeps the scheme's name. The password of basic credentials, and values with sensitive names, become known, too.
    package mutating func secret(_ value: String) -> String {
        // An address of an authorization server, such as `end_session_endpoint`.
        if value.isHTTPURL, !isInSecret {
            isInSecret = true
            defer { isInSecret = false }
            return url(value)
        }
        var start = value.startIndex
        while let space = value[start...].firstIndex(of: " "),
            SensitiveTextScanner.schemes.contains(value[start..<space].lowercased())
        {
            start = value.index(after: space)
        }
        if start > value.startIndex { return value[..<start] + secret(String(value[start...])) }
        let result = placeholder(for: value)
        guard !value.isPlaceholder else { return result }
        if let data = Data(base64Encoded: value), let pair = String(validating: data, as: UTF8.self), pair.contains(":")
        {
            addSecret(ofCredentials: pair[...])
        } else if !isInSecret, value.contains("=") {
            isInSecret = true
            _ = scanned(value)
            isInSecret = false
        }
        return result
    }

    private mutating func addSecret(ofCredentials pair: Substring) {
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let password = parts.count > 1 ? parts[1] : ""
        _ = placeholder(for: String(SensitiveTextScanner.isUserSecret(password: password) ? parts[0] : password))
    }

    /// Returns a URL or a relative reference with its secrets replaced, and without its user and password.
    mutating func url(_ text: String) -> String {
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        let query = text[..<fragment].firstIndex(of: "?") ?? fragment
        var result = path(String(text[..<query]))
        if query < fragment { result += "?" + form(String(text[text.index(after: query)..<fragment])) }
        if fragment < text.endIndex { result += "#" + form(String(text[text.index(after: fragment)...])) }
        return replacingSecrets(in: result)
    }

    private mutating func path(_ part: String) -> String {
        var part = part
        if let start = part.range(of: "://")?.upperBound {
            let end = part[start...].firstIndex(of: "/") ?? part.endIndex
            if let at = part[start..<end].lastIndex(of: "@") {
                addSecret(ofCredentials: part[start..<at])
                part.removeSubrange(start...at)
            }
        }
        let authority = part.contains("://") ? 3 : 0
        let segments = part.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, segment in
            // Parameters of a segment, such as `;jsessionid=x`, or a JSON Web Token.
            if segment.contains("=") || segment.hasPrefix("ey") { return form(String(segment)) }
            let secret = index < authority ? nil : wholeSecrets[segment.removingPercentEncoding ?? ""]
            return secret ?? String(segment)
        }
        let redacted = replacingSecrets(in: segments.joined(separator: "/"))
        guard redacted.contains("%"), let decoded = redacted.removingPercentEncoding,
            replacingSecrets(in: decoded) != decoded
        else { return redacted }
        return replacingSecrets(in: decoded).percentEncoded(allowing: .path)
    }
}

extension Redactor: SecretReplacing {
    package var replacesAll: Bool { false }

    package func hides(_ name: String, _ value: String, isForm: Bool) -> Bool {
        redaction.hides(name, value, isForm: isForm)
    }

    // A short `id`, as in `{"sessions": [{"id": 7}]}`, is hardly a secret, and occurs in the paths of other requests.
    package func keeps(_ name: String, _ value: JSONValue) -> Bool {
        if redaction.exempts(name) { return true }
        guard name.lowercased() == "id" else { return false }
        return value.string.map { $0.utf8.count < Self.shortestWhole } ?? (value.double.map { abs($0) < 1e9 } ?? false)
    }

    package mutating func text(_ text: String, isName: Bool) -> String {
        isName ? replacingSecrets(in: text) : self.text(text)
    }

    // Returns 0 in place of a number with a sensitive name, whose digits become a known secret. Other numbers in an
    // object with a sensitive name, such as `{"session": {"user_id": 7}}`, are hardly secrets.
    package mutating func number(_ number: JSONValue, isSecret _: Bool, isNamed: Bool) -> JSONValue {
        let digits = "\(number.foundationObject)"
        if isNamed, digits != "0" { _ = placeholder(for: digits) }
        return isNamed || finds(in: digits.utf8) ? .int(0) : number
    }
}

extension String {
    fileprivate var isHTTPURL: Bool {
        let scheme = prefix(8).lowercased()
        return scheme.hasPrefix("https://") || scheme.hasPrefix("http://")
    }

    // Whether a text hardly occurs with another meaning, unlike short texts, words such as `active`, and numbers and
    // dates of few digits.
    fileprivate var isDistinct: Bool {
        let isWord = count < 20 && allSatisfy { $0.isLetter || "-_.".contains($0) }
        let isNumber = filter(\.isNumber).count < 10 && allSatisfy { $0.isNumber || "-.:".contains($0) }
        return utf8.count >= Redactor.shortestWhole && !isWord && !isNumber
    }

    fileprivate var isPlaceholder: Bool { hasPrefix("***") && (dropFirst(3).isDigits || count == 3) }
}
