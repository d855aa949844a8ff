import Foundation

/// The header field `Link` (RFC 8288, section 3).
struct LinkHeader {
    /// One link: its target reference and its parameters.
    private struct Link {
        let reference: String
        var parameters: [(name: String, value: String)] = []

        /// Returns the first value of a parameter; further values are ignored (RFC 8288, section 3.3).
        func first(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    private let links: [Link]

    init(_ headers: HTTPHeaders) {
        links = headers.values(for: "Link").flatMap(Self.parse)
    }

    /// Returns the reference of the first link that has the given relation type.
    ///
    /// Links with the parameter `anchor` are ignored: they are links of another resource (RFC 8288, section 3.2).
    ///
    /// - Parameter relation: the relation type, in lower case.
    func reference(relation: String) -> String? {
        links.first { link in
            let relations = link.first("rel")?.split(whereSeparator: \.isWhitespace) ?? []
            return link.first("anchor") == nil && relations.contains { $0.lowercased() == relation }
        }?.reference
    }

    /// Parses links by the algorithm of RFC 8288, appendix B.2.
    ///
    /// A malformed link and the text after it are ignored.
    private static func parse(_ field: String) -> [Link] {
        var scanner = FieldValueScanner(field)
        var links: [Link] = []
        while true {
            scanner.skip { $0 == "," || $0.isFieldSpace }
            guard scanner.take("<"), let reference = scanner.text(until: ">") else { return links }
            var link = Link(reference: reference)
            scanner.skip(where: \.isFieldSpace)
            while scanner.take(";") {
                scanner.skip(where: \.isFieldSpace)
                let name = scanner.text { !$0.isFieldSpace && !"=;,".unicodeScalars.contains($0) }.lowercased()
                scanner.skip(where: \.isFieldSpace)
                var value = ""
                if scanner.take("=") {
                    scanner.skip(where: \.isFieldSpace)
                    value =
                        scanner.take("\"")
                        ? scanner.quotedText()
                        : scanner.text { $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces)
                }
                if !name.isEmpty { link.parameters.append((name, value)) }
                scanner.skip(where: \.isFieldSpace)
            }
            links.append(link)
        }
    }
}

/// Reads a field value from left to right.
private struct FieldValueScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text[...].unicodeScalars
    }

    mutating func skip(where isSkipped: (Unicode.Scalar) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    mutating func text(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
        let text = rest.prefix(while: isIncluded)
        rest = rest[text.endIndex...]
        return String(text)
    }

    /// Returns the text up to a delimiter and consumes both; returns `nil` if the delimiter is missing.
    mutating func text(until end: Unicode.Scalar) -> String? {
        let text = text { $0 != end }
        return take(end) ? text : nil
    }

    /// Returns the text of a quoted string (RFC 9110, section 5.6.4) whose opening quotation mark is already consumed.
    mutating func quotedText() -> String {
        var text = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar != "\\" {
                text.unicodeScalars.append(scalar)
            } else if let escaped = rest.popFirst() {
                text.unicodeScalars.append(escaped)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isFieldSpace: Bool { self == " " || self == "\t" }
}
