// Reads a field value from left to right. What the grammar doesn't allow is skipped or read as text, as in browsers.
package struct FieldValueReader {
    private var rest: Substring.UTF8View

    package init(_ value: Substring) {
        rest = value.utf8
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package func isBefore(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    package mutating func skip(_ others: String = "") {
        rest = rest.drop { $0.isBlank || others.utf8.contains($0) }
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isBefore(character) else { return false }
        rest.removeFirst()
        return true
    }

    package mutating func text(before delimiters: String) -> Substring {
        let text = rest.prefix { !delimiters.utf8.contains($0) }
        rest = rest[text.endIndex...]
        return Substring(text)
    }

    /// Reads a quoted string (RFC 9110, section 5.6.4), to the end if it is not closed; returns `nil` if there is none.
    package mutating func quotedString() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the parameters that follow (RFC 9110, section 5.6.6); their names are in lower case.
    package mutating func parameters() -> [(name: String, value: String)] {
        var parameters: [(String, String)] = []
        skip()
        while take(";") {
            skip()
            let name = text(before: " \t=;,").lowercased()
            skip()
            var value = ""
            if take("=") {
                skip()
                value = quotedString() ?? String(text(before: ";,").trimmed)
            }
            if !name.isEmpty { parameters.append((name, value)) }
            skip()
        }
        return parameters
    }
}

/// The elements of a field value that is a list (RFC 9110, section 5.6.1), split at the commas outside quoted strings.
package struct ListFieldValue {
    /// The elements without the white space around them; empty elements are omitted.
    package private(set) var elements: [Substring] = []
    /// Whether each quoted string has a closing quotation mark.
    package private(set) var isTerminated = true

    package init(_ value: String) {
        var start = value.startIndex
        var index = start
        let bytes = value.utf8
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): isTerminated.toggle()
            case UInt8(ascii: "\\") where !isTerminated:
                bytes.formIndex(after: &index)
                if index == bytes.endIndex { continue }
            case UInt8(ascii: ",") where isTerminated:
                append(value[start..<index])
                start = bytes.index(after: index)
            default: break
            }
            bytes.formIndex(after: &index)
        }
        append(value[start...])
    }

    private mutating func append(_ element: Substring) {
        let trimmed = element.trimmed
        if !trimmed.isEmpty { elements.append(trimmed) }
    }
}

extension StringProtocol {
    package var unquoted: String {
        var reader = FieldValueReader(Substring(self))
        guard let text = reader.quotedString(), reader.isAtEnd else { return String(self) }
        return text
    }

    /// The media type in this value, in lower case and without its parameters (RFC 9110, section 8.3.1).
    package var mediaType: String {
        @_specialize(where Self == String)
        @_specialize(where Self == Substring)
        get { trimmed.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased() }
    }

    /// - Parameter name: the name in lower case.
    package func parameter(_ name: String) -> String? {
        var reader = FieldValueReader(Substring(self))
        _ = reader.text(before: ";")
        return reader.parameters().first { $0.name == name }?.value
    }
}
