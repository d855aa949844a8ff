import Foundation

/// Replaces the secrets of requests and responses by placeholders; equal secrets have equal placeholders.
package struct Redactor: Sendable {
    /// The minimum length, in bytes, of a secret that is replaced wherever it occurs.
    ///
    /// A shorter secret may also be a part of other words. It is replaced only as the value of a sensitive name.
    private static let shortestMatchedSecret = 6
    /// Values that are not secret, even if they have a sensitive name.
    private static let plainValues: Set<String> = ["", "basic", "bearer", "digest", "false", "none", "null", "true"]
    /// The authentication schemes that remain in front of a placeholder, as in `Bearer ***1` (RFC 9110, section 11.4).
    private static let schemes: Set<String> = ["apikey", "basic", "bearer", "digest", "dpop", "negotiate", "token"]

    let redaction: RecordingRedaction
    private var numbers: [String: Int] = [:]
    private var lastNumber = 0
    private var knownSecrets = KnownSecretSearch()

    package init(_ redaction: RecordingRedaction) {
        self.redaction = redaction
        for value in redaction.rules?.values.sorted() ?? [] { _ = placeholder(for: value, matchesEverywhere: true) }
    }

    /// Whether the redactor returns all values unchanged.
    var isOff: Bool { redaction.rules == nil }

    /// Skips the placeholder numbers up to `number`, because existing placeholders may have these numbers.
    mutating func skip(to number: Int) {
        // The limit prevents an overflow of `lastNumber`, because a file may contain any number.
        lastNumber = max(lastNumber, min(number, 1 << 30))
    }

    /// Returns the placeholder of a secret.
    ///
    /// Values in `plainValues` and existing placeholders are returned unchanged. A value of at least
    /// `shortestMatchedSecret` bytes becomes a known secret, which `replacingSecrets(in:)` replaces in texts.
    ///
    /// - Parameters:
    ///   - value: the value of a sensitive name, or one of the secrets in the rules.
    ///   - matchesEverywhere: whether even a value of less than `shortestMatchedSecret` bytes becomes a known secret.
    mutating func placeholder(for value: String, matchesEverywhere: Bool = false) -> String {
        if Self.plainValues.contains(value.lowercased()) || value.isPlaceholder { return value }
        if let number = numbers[value] { return "***\(number)" }
        lastNumber += 1
        numbers[value] = lastNumber
        let placeholder = "***\(lastNumber)"
        if matchesEverywhere || value.utf8.count >= Self.shortestMatchedSecret {
            for text in Set(Self.encodings(of: value)).sorted() { knownSecrets.add(text, placeholder: placeholder) }
        }
        return placeholder
    }

    /// Returns a secret in the encodings in which it may occur in URLs, JSON and credentials.
    private static func encodings(of value: String) -> [String] {
        let encoded = value.percentEncoded(allowing: .segment)
        let json = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self).dropFirst().dropLast() }
        return [
            value, encoded, encoded.withLowercasedEscapes, encoded.replacing("%20", with: "+"), String(json ?? ""),
            String(json ?? "").replacing("\\/", with: "/"), Data(value.utf8).base64EncodedString(),
        ].filter { !$0.isEmpty }
    }

    /// Returns the text with placeholders instead of the known secrets.
    func replacingSecrets(in text: String) -> String {
        var text = text
        for secret in knownSecrets.found(in: text.utf8) {
            text = text.replacingOccurrences(of: secret.text, with: secret.placeholder, options: .literal)
        }
        return text
    }

    /// Returns whether a text contains a known secret, percent-encoded or not.
    func finds(in text: String) -> Bool {
        let decoded = text.contains("%") ? text.removingPercentEncoding : nil
        return !knownSecrets.found(in: text.utf8).isEmpty
            || decoded.map { !knownSecrets.found(in: $0.utf8).isEmpty } ?? false
    }

    func finds(in data: Data) -> Bool {
        !knownSecrets.found(in: data).isEmpty
    }

    // MARK: Headers, URLs, forms and JSON

    mutating func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        var result = HTTPHeaders()
        for field in headers.fields {
            let value = header(field.name, field.value)
            result.add(field.name, replacingSecrets(in: value))
        }
        return result
    }

    private mutating func header(_ name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "location", "content-location", "referer": return url(value)
        case "cookie" where redaction.hides(name):
            return value.split(separator: ";", omittingEmptySubsequences: false).map { cookie(String($0)) }
                .joined(separator: ";")
        case "set-cookie" where redaction.hides(name):
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return cookie(String(value[..<end])) + value[end...]
        default: break
        }
        if let space = value.firstIndex(of: " "), Self.schemes.contains(value[..<space].lowercased()) {
            let scheme = value[..<space].lowercased()
            if redaction.hides(name) || (scheme == "basic" || scheme == "bearer") && !redaction.keeps(name) {
                let text = String(value[value.index(after: space)...])
                return value[...space] + credentials(text, isBasic: scheme == "basic")
            }
        }
        return redaction.hides(name) ? placeholder(for: value) : value
    }

    /// Returns a cookie in the form `name=value` with its value replaced, unless its name is exempt from redaction.
    private mutating func cookie(_ pair: String) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return pair }
        let name = pair[..<equals].trimmingCharacters(in: .whitespaces)
        guard !redaction.keeps(name) else { return pair }
        return pair[...equals] + placeholder(for: String(pair[pair.index(after: equals)...]))
    }

    private mutating func credentials(_ text: String, isBasic: Bool) -> String {
        let result = placeholder(for: text)
        if isBasic, !text.isPlaceholder, let data = Data(base64Encoded: text) {
            let pair = String(decoding: data, as: UTF8.self)
            if let colon = pair.firstIndex(of: ":") { _ = placeholder(for: String(pair[pair.index(after: colon)...])) }
        }
        return result
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

    /// Returns the part of a URL before its query, with its secrets replaced, and without user and password.
    private mutating func path(_ part: String) -> String {
        var part = part
        if let start = part.range(of: "://")?.upperBound {
            let end = part[start...].firstIndex(of: "/") ?? part.endIndex
            if let at = part[start..<end].lastIndex(of: "@") {
                if let colon = part[start..<at].firstIndex(of: ":") {
                    let password = part[part.index(after: colon)..<at]
                    _ = placeholder(for: password.removingPercentEncoding ?? String(password))
                }
                part.removeSubrange(start...at)
            }
        }
        let redacted = replacingSecrets(in: part)
        guard redacted.contains("%"), let decoded = redacted.removingPercentEncoding,
            replacingSecrets(in: decoded) != decoded
        else { return redacted }
        return replacingSecrets(in: decoded).percentEncoded(allowing: .path)
    }

    /// Returns pairs of names and values, as in a query or a form, with their secrets replaced.
    mutating func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return replacingSecrets(in: String(pair)) }
            let value = pair[pair.index(after: equals)...]
            let decoded = value.formDecoded
            if redaction.hides(pair[..<equals].formDecoded) { return pair[...equals] + placeholder(for: decoded) }
            let redacted = replacingSecrets(in: decoded)
            guard redacted != decoded else { return String(pair) }
            return pair[...equals] + redacted.percentEncoded(allowing: .segment).replacing("%2A%2A%2A", with: "***")
        }.joined(separator: "&")
    }

    /// Returns a JSON value with its secrets replaced.
    ///
    /// - Parameter isSecret: whether the name of the value, or of an enclosing value, is sensitive. All strings and
    ///   numbers in the value are then secret, except under names that are exempt from redaction.
    mutating func json(_ value: JSONValue, isSecret: Bool = false) -> JSONValue {
        switch value {
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for name in members.keys.sorted() {
                let isSecret = isSecret && !redaction.keeps(name) || redaction.hides(name)
                result[replacingSecrets(in: name)] = json(members[name] ?? .null, isSecret: isSecret)
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { json($0, isSecret: isSecret) })
        case .string(let string): return .string(isSecret ? placeholder(for: string) : replacingSecrets(in: string))
        case .int(let number): return self.number("\(number)", isSecret: isSecret) ? .int(0) : value
        case .double(let number): return self.number("\(number)", isSecret: isSecret) ? .int(0) : value
        case .decimal(let number): return self.number("\(number)", isSecret: isSecret) ? .int(0) : value
        case .bool, .null: return value
        }
    }

    /// Returns whether a number must be replaced, and adds the digits of a secret number to the known secrets.
    private mutating func number(_ digits: String, isSecret: Bool) -> Bool {
        if isSecret, digits != "0" { _ = placeholder(for: digits) }
        return isSecret || finds(in: digits)
    }
}

extension String {
    /// Whether the text is a placeholder, such as `***7`.
    fileprivate var isPlaceholder: Bool { hasPrefix("***") && (dropFirst(3).isDigits || count == 3) }

    /// The text with the hexadecimal digits of its percent-encoding in lower case, such as `%3a`.
    fileprivate var withLowercasedEscapes: String {
        var result = ""
        var escaped = 0
        for character in self {
            if character == "%" { escaped = 3 }
            result += escaped > 0 ? character.lowercased() : String(character)
            escaped -= 1
        }
        return result
    }
}
