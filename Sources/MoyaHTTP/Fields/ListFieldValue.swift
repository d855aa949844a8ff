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
        let trimmed = element.trimmingWhiteSpace
        if !trimmed.isEmpty { elements.append(trimmed) }
    }

    /// Returns the text of a token or quoted string (RFC 9110, section 5.6.4).
    package static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}

extension Substring {
    /// The text without the spaces and tabs at both ends.
    fileprivate var trimmingWhiteSpace: Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text = Substring(text.utf8.dropFirst()) }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text = Substring(text.utf8.dropLast()) }
        return text
    }
}
