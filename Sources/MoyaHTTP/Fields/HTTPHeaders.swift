/// The header fields of a request or response, in order (RFC 9110, section 5).
///
/// Names are compared without regard to case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"]             // "application/json"
/// headers.add("Via", "a")       // adds a field, even if there is one of the same name
/// ```
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One header field: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The name in its original case.
        public let name: String
        /// The value; it must not begin or end with white space, or ``HTTPHeaders/validate()`` throws an error.
        public var value: String { content.text }
        package fileprivate(set) var content: OctetText

        /// Creates a field; only ``HTTPHeaders/validate()`` checks the name and the value.
        public init(name: String, value: String) {
            self.init(name: name, content: OctetText(value))
        }

        init(name: String, content: OctetText) {
            self.name = name
            self.content = content
        }

        /// Returns whether the names are equal without regard to case, and the values are equal, byte for byte.
        public static func == (left: Field, right: Field) -> Bool {
            left.isNamed(right.name) && left.content == right.content
        }

        /// Hashes the name in lower case, and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name.lowercased())
            hasher.combine(value)
        }

        package func isNamed(_ other: String) -> Bool { name.equalsIgnoringCase(other) }

        fileprivate var separator: String { isNamed("Cookie") ? "; " : ", " }
    }

    /// The fields in order.
    public package(set) var fields: [Field] = []

    /// Creates an empty list of fields.
    public init() {}

    /// Creates a list of the given fields, in their order.
    public init(fields: [Field]) {
        self.fields = fields
    }

    /// Creates a list of a dictionary's fields, sorted by name.
    ///
    /// If several names differ in case only, the last of these fields in the sorted order is used.
    public init(_ dictionary: [String: String]) {
        var index = HeaderIndex()
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            let field = Field(name: name, value: value)
            if let place = index.firstIndex(of: name, in: fields) {
                fields[place] = field
            } else {
                fields.append(field)
            }
        }
    }

    /// Creates a list of the literal's fields, in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The values of all fields of a name, joined by commas (RFC 9110, section 5.3); `nil` if there is no such field.
    ///
    /// The values of `Cookie` are joined by semicolons (RFC 9113, section 8.2.3). Those of `Set-Cookie` must not be
    /// joined; to read them, use ``values(for:)``. Setting a value replaces all fields of the name.
    public subscript(name: String) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return nil }
            let others = fields[(first + 1)...].filter { $0.isNamed(name) }
            guard !others.isEmpty else { return fields[first].value }
            return ([fields[first]] + others).map(\.value).joined(separator: fields[first].separator)
        }
        set { replace(name, with: newValue.map { Field(name: name, value: $0) }) }
    }

    /// Replaces all fields of a name by one field, at the place of the first one; `nil` removes them.
    package mutating func replace(_ name: String, with field: Field?) {
        let index = fields.firstIndex { $0.isNamed(name) }
        if index != nil { fields.removeAll { $0.isNamed(name) } }
        if let field { fields.insert(field, at: index ?? fields.count) }
    }

    /// Returns the values of all fields of a name, in order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Appends a field, even if there is a field of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a continuation line to the value of the last field (RFC 9112, section 5.2).
    mutating func extendLast(by octets: some RandomAccessCollection<UInt8>) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].content.append(CollectionOfOne(UInt8(ascii: " ")))
        fields[fields.count - 1].content.append(octets)
    }

    /// Returns the fields of both lists; a field of `other` replaces all fields of the same name.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        var index = HeaderIndex()
        merged.fields.removeAll { index.firstIndex(of: $0.name, in: other.fields) != nil }
        merged.fields += other.fields
        return merged
    }

    /// The fields as a dictionary, in which the values of a name are joined by commas, or those of `Cookie` by
    /// semicolons.
    ///
    /// If names differ in case only, the key is the first of these names.
    public var dictionary: [String: String] {
        var dictionary: [String: String] = [:]
        var spelling: [String: String] = [:]
        for field in fields {
            let lowercased = field.name.asciiLowercased
            if let name = spelling[lowercased] {
                dictionary[name]?.append(field.separator + field.value)
            } else {
                spelling[lowercased] = field.name
                dictionary[field.name] = field.value
            }
        }
        return dictionary
    }

    /// Throws an error if a name is not a token, or if a value is invalid (RFC 9110, sections 5.1 and 5.5).
    ///
    /// A value must not contain control characters other than tabs, nor begin or end with white space.
    ///
    /// - Throws: ``TransportError/invalid(_:)`` with the field's name; the value, which may be secret, is not shown.
    public func validate() throws(TransportError) {
        for field in fields {
            guard field.name.isToken else {
                throw .invalid(
                    "\(field.name.debugDescription) is not a header name. Use letters, digits and !#$%&'*+-.^_`|~ only."
                )
            }
            let value = field.value.utf8
            guard !value.contains(where: \.isControl) else {
                throw .invalid(
                    "the value of the header \(field.name) contains a control character. Remove or encode it.")
            }
            guard value.first?.isBlank != true, value.last?.isBlank != true else {
                throw .invalid(
                    "the value of the header \(field.name) has leading or trailing whitespace, which HTTP strips: trim it"
                )
            }
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The names of the fields, without their values, because a value may be secret.
    public var description: String { fields.map(\.name).joined(separator: ", ") }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// The name, without the value, which may be secret.
    public var description: String { name }
}

extension String {
    /// Whether the text is a token (RFC 9110, section 5.6.2).
    package var isToken: Bool {
        !isEmpty && utf8.allSatisfy { $0.isAlphanumeric || "-_!#$%&'*+.^`|~".utf8.contains($0) }
    }
}
