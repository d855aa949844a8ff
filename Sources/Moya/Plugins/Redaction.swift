import Foundation

/// What of a request or an answer may be written down.
///
/// It concerns header fields, queries and bodies; paths are shown. What is hidden reads `***`.
public struct Redaction: Sendable {
    private enum Level: Sendable {
        case all
        case secretNames(SensitiveNames)
        case nothing
    }

    /// What stands in the place of a value.
    static let placeholder = "***"

    private let level: Level
    private let shown: Set<String>

    /// Hides all values except those of header fields that are not sensitive, such as `Content-Type`: the default.
    ///
    /// The names of fields, keys and members are shown, and so are truth values and nulls in JSON.
    public static let all = Redaction(level: .all, shown: [])
    /// Nothing is hidden.
    ///
    /// Not for logs that anybody else reads: they have passwords and tokens then.
    public static let nothing = Redaction(level: .nothing, shown: [])
    /// Values are hidden whose names tell that they are secret: `Authorization`, `Cookie`, `api_key`, `password` and the like.
    public static let secretNames = secretNames()

    /// All values are hidden, but those of some more header fields.
    public static func all(butHeaders names: Set<String>) -> Redaction {
        Redaction(level: .all, shown: Set(names.map { $0.lowercased() }))
    }

    /// Values are hidden whose names tell that they are secret, and those of some more names.
    ///
    /// - Parameter others: names of header fields, query keys and members; upper and lower case and punctuation do not
    ///   matter.
    public static func secretNames(and others: Set<String> = []) -> Redaction {
        Redaction(level: .secretNames(SensitiveNames(others: others)), shown: [])
    }

    /// Whether nothing is hidden.
    var isOff: Bool { if case .nothing = level { true } else { false } }

    private func hides(_ name: String) -> Bool {
        switch level {
        case .all: true
        case .secretNames(let names): names.contains(name)
        case .nothing: false
        }
    }

    private init(level: Level, shown: Set<String>) {
        self.level = level
        self.shown = shown
    }

    // MARK: What is left

    /// The value of a header field.
    func header(_ name: String, _ value: String) -> String {
        let isShown = HTTPHeaders.nonSensitiveNames.contains(name.lowercased()) || shown.contains(name.lowercased())
        if case .all = level, isShown { return value.withoutControls }
        if name.lowercased() == "location", !isOff { return origin(of: value) }
        return hides(name) ? Self.placeholder : value.withoutControls
    }

    /// Where a URL leads, but not to what there.
    private func origin(of text: String) -> String {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("@"), !host.hasControls
        else { return Self.placeholder }
        return "\(url.origin)/\(Self.placeholder)"
    }

    /// A URL, without the user and the password that it may have.
    func url(_ text: String) -> String {
        guard !isOff else { return text.withoutControls }
        guard var components = URLComponents(string: text) else { return Self.placeholder }
        if components.user != nil || components.password != nil {
            components.user = nil
            components.password = nil
        }
        if components.fragment != nil { components.fragment = Self.placeholder }
        if let query = components.percentEncodedQuery { components.percentEncodedQuery = form(query) }
        return (components.string ?? Self.placeholder).withoutControls
    }

    /// Pairs of keys and values; a key without a value may be one, and is hidden with them.
    private func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else {
                if case .all = level { return Self.placeholder }
                return String(pair)
            }
            let name = String(pair[..<equals])
            // Nothing behind it: the name may be a value in base 64.
            if case .all = level, pair[equals...].allSatisfy({ $0 == "=" }) { return Self.placeholder }
            return hides(name.removingPercentEncoding ?? name) ? "\(name)=\(Self.placeholder)" : String(pair)
        }.joined(separator: "&")
    }

    /// Content; what is too long or of a type that cannot be looked into is only described.
    ///
    /// - Parameter longest: of how many characters the text has to be at most.
    func body(_ data: Data, contentType: String?, longest: Int) -> String {
        let type = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        let description = "<\(data.count) bytes\(type.isEmpty ? "" : " of \(type)")>"
        guard data.count <= Self.longestParsed else { return description }
        let text: String?
        if isOff {
            text = String(data: data, encoding: .utf8)
        } else if type == "application/json" || type.hasSuffix("+json") || type.isEmpty && data.looksLikeJSON {
            text = json(data)
        } else if type == "application/x-www-form-urlencoded" {
            text = form(String(decoding: data, as: UTF8.self))
        } else if case .secretNames = level, type.hasPrefix("text/") {
            text = String(data: data, encoding: .utf8)
        } else {
            text = nil
        }
        guard let text else { return description }
        guard text.count > longest else { return text.withoutControls }
        return text.prefix(longest).withoutControls + "… \(description)"
    }

    private func json(_ data: Data) -> String? {
        guard let value = try? JSONValue(data: data) else { return nil }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        let hidden = try? JSONSerialization.data(withJSONObject: hidden(value).foundationObject, options: options)
        return hidden.flatMap { String(data: $0, encoding: .utf8) }
    }

    /// A value with no name is hidden unless only secret names are, and its parent's name is not one.
    private func hidden(_ value: JSONValue, under name: String? = nil) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { member in
                        let isSecret = name.map(hides) ?? false
                        return (member.key, hidden(member.value, under: isSecret ? name : member.key))
                    }))
        case .array(let elements): .array(elements.map { hidden($0, under: name) })
        case .null, .bool: value
        default: hides(name ?? "") ? .string(Self.placeholder) : value
        }
    }

    private static let longestParsed = 1 << 20
}

extension StringProtocol {
    /// With control characters, but tabs, written as escapes: nothing that came from elsewhere can pass for a line of a log, or
    /// steer a terminal.
    var withoutControls: String {
        escaping { scalar in
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

extension Data {
    fileprivate var looksLikeJSON: Bool {
        let first = first {
            ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains($0)
        }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
