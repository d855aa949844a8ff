import Foundation

/// Specifies which values of requests and responses are hidden in logs.
///
/// A redaction applies to header fields, URL queries and bodies, but not to URL paths. `***` replaces a hidden value.
public struct Redaction: Sendable {
    private enum Level: Sendable {
        /// `shown` contains the lower-case names of the header fields whose values are shown.
        case all(shown: Set<String>)
        case secretNames(SensitiveNames)
        case nothing
    }

    static let placeholder = "***"

    private let level: Level

    /// Hides all values except those of non-sensitive header fields, such as `Content-Type`; this is the default.
    ///
    /// Booleans and `null` in JSON are shown, and also the names of header fields, query keys and JSON members.
    public static let all = all(butHeaders: [])
    /// Hides nothing.
    ///
    /// Logs may then contain passwords and tokens.
    public static let nothing = Redaction(level: .nothing)
    /// Hides values with sensitive names, such as `Authorization`, `Cookie`, `api_key` and `password`.
    public static let secretNames = secretNames()

    /// Returns a redaction that hides all values, except those of known non-sensitive header fields and of the given
    /// header fields.
    public static func all(butHeaders names: Set<String>) -> Redaction {
        Redaction(level: .all(shown: HTTPHeaders.nonSensitiveNames.union(names.map { $0.lowercased() })))
    }

    /// Returns a redaction that hides values with sensitive names and with the given names.
    ///
    /// - Parameter others: names of header fields, query keys and JSON members; case and punctuation are ignored.
    public static func secretNames(and others: Set<String> = []) -> Redaction {
        Redaction(level: .secretNames(SensitiveNames(others: others)))
    }

    var isOff: Bool { if case .nothing = level { true } else { false } }

    func header(_ name: String, _ value: String) -> String {
        if case .all(let shown) = level, shown.contains(name.lowercased()) { return value.withoutControls }
        if name.lowercased() == "location", !isOff { return redactedLocation(value) }
        let isSecret = hides(name, "", isForm: false) && (replacesAll || !isCount(name, value))
        return isSecret ? Self.placeholder : text(value).withoutControls
    }

    private func redactedLocation(_ text: String) -> String {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("@"), !host.hasControls
        else { return Self.placeholder }
        return "\(url.origin)/\(Self.placeholder)"
    }

    func url(_ text: String) -> String {
        guard !isOff else { return text.withoutControls }
        // Without `?`, `#` and `@`, the URL has no query, fragment or user to hide.
        if text.isPrintableASCII, !text.utf8.contains(where: "?#@".utf8.contains) { return text }
        guard var components = URLComponents(string: text) else { return Self.placeholder }
        if components.user != nil || components.password != nil {
            components.user = nil
            components.password = nil
        }
        if components.fragment != nil { components.fragment = Self.placeholder }
        if let query = components.percentEncodedQuery { components.percentEncodedQuery = redacted { $0.form(query) } }
        return (components.string ?? Self.placeholder).withoutControls
    }

    // Only size and type if the content exceeds 1 MiB or can't be redacted. Text is cut at `longest` characters.
    func body(_ data: Data, contentType: String?, longest: Int) -> String {
        let type = contentType?.mediaType ?? ""
        let description = "<\(data.count) bytes\(type.isEmpty ? "" : " of \(type)")>"
        guard data.count <= 1 << 20 else { return description }
        let text: String?
        if isOff {
            text = String(data: data, encoding: .utf8)
        } else if type == "application/json" || type.hasSuffix("+json")
            || type.isEmpty && data.first(where: { !$0.isSpace }).map("{[".utf8.contains) == true
        {
            text = json(data) ?? self.text(data)
        } else if type == "application/x-www-form-urlencoded" {
            text = redacted { $0.form(String(decoding: data, as: UTF8.self)) }
        } else if type.hasPrefix("text/") || type.hasSuffix("+xml") || Self.textTypes.contains(type) {
            text = self.text(data)
        } else {
            text = nil
        }
        guard let text else { return description }
        // Counted in scalars, because a character may have any number of them.
        guard text.unicodeScalars.count > longest else { return text.withoutControls }
        return Substring(text.unicodeScalars.prefix(longest)).withoutControls + "… \(description)"
    }

    private func text(_ data: Data) -> String? {
        // Text in UTF-16, in which no name would be found, has zeros.
        guard case .secretNames = level, !data.contains(0) else { return nil }
        return String(data: data, encoding: .utf8).map { text($0) }
    }

    private func json(_ data: Data) -> String? {
        guard let value = try? JSONValue(data: data) else { return nil }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        let hidden = try? JSONSerialization.data(
            withJSONObject: redacted { $0.json(value) }.foundationObject, options: options)
        return hidden.flatMap { String(data: $0, encoding: .utf8) }
    }

    private static let textTypes: Set<String> = [
        "application/graphql", "application/javascript", "application/jsonl", "application/x-ndjson", "application/xml",
        "application/yaml",
    ]
}

extension Redaction: SecretReplacing {
    private func redacted<Value>(_ replace: (inout Redaction) -> Value) -> Value {
        var copy = self
        return replace(&copy)
    }

    package var replacesAll: Bool { if case .all = level { true } else { false } }

    package func hides(_ name: String, _ value: String, isForm: Bool) -> Bool {
        switch level {
        case .all: true
        case .secretNames(let names):
            names.contains(name) || SensitiveNames.isAuthorizationCode(name, value, isForm: isForm)
        case .nothing: false
        }
    }

    package func keeps(_ name: String, _ value: JSONValue) -> Bool { false }

    package func secret(_ value: String, isNamed: Bool) -> String { Self.placeholder }

    package func text(_ text: String, isName: Bool = false) -> String {
        guard !isName, case .secretNames = level else { return text }
        return SensitiveTextScanner.replaceSecrets(in: text) {
            hides($0, $1, isForm: $2)
        } with: { _, _ in
            Self.placeholder
        }
    }

    package func number(_ number: JSONValue, isSecret: Bool, isNamed: Bool) -> JSONValue {
        isSecret ? .string(Self.placeholder) : number
    }
}

extension StringProtocol {
    /// Escapes control characters except tabs, so that untrusted text can't forge a log line or control a terminal.
    var withoutControls: String {
        guard !isPrintableASCII else { return String(self) }
        return escaping { scalar in
            switch scalar {
            case "\t": nil
            case "\n": "\\n"
            default:
                scalar.properties.generalCategory == .control
                    ? "\\u{\(String(scalar.value, radix: 16))}" : nil
            }
        }
    }
}
