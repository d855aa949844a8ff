import Foundation

/// The header field `Link` (RFC 8288, section 3).
struct LinkHeader {
    private struct Link {
        let reference: String
        let parameters: [(name: String, value: String)]

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
        var reader = FieldValueReader(field)
        var links: [Link] = []
        while true {
            reader.skip(",")
            guard reader.take("<") else { return links }
            let reference = reader.text(before: ">")
            guard reader.take(">") else { return links }
            links.append(Link(reference: String(reference), parameters: reader.parameters()))
        }
    }
}
