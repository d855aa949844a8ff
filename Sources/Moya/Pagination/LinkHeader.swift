extension HTTPHeaders {
    /// Returns the reference of the first link with a relation type, in lower case (RFC 8288, section 3, appendix B.2).
    ///
    /// Links with the parameter `anchor` are links of another resource (section 3.2). A malformed link ends its field.
    func link(relation: String) -> String? {
        for field in values(for: "Link") {
            var reader = FieldValueReader(field[...])
            reader.skip(",")
            while reader.take("<") {
                let reference = reader.text(before: ">")
                guard reader.take(">") else { break }
                let parameters = reader.parameters()
                // Further values of a parameter are ignored (section 3.3).
                let relations = parameters.first { $0.name == "rel" }?.value.lowercased() ?? ""
                if !parameters.contains(where: { $0.name == "anchor" }),
                    relations.split(whereSeparator: \.isWhitespace).contains(relation[...])
                {
                    return String(reference)
                }
                reader.skip(",")
            }
        }
        return nil
    }
}
