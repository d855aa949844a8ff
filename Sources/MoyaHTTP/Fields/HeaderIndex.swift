/// Finds fields by name.
///
/// Many fields are looked up in a dictionary, so that they are not all compared with each other.
package struct HeaderIndex {
    /// The maximum number of fields that are compared one by one, which requires no memory.
    private static let maximumCompared = 16

    /// The first place of each name, in lower case, among the first `indexed` fields.
    private var places: [String: Int] = [:]
    private var indexed = 0

    package init() {}

    /// Returns the place of the first field of a name.
    ///
    /// - Parameter fields: the fields of the previous call, to which fields of other names may have been appended.
    package mutating func firstIndex(of name: String, in fields: [HTTPHeaders.Field]) -> Int? {
        guard fields.count > Self.maximumCompared else { return fields.firstIndex { $0.isNamed(name) } }
        for place in indexed..<fields.count {
            let name = fields[place].name.asciiLowercased
            if places[name] == nil { places[name] = place }
        }
        indexed = fields.count
        return places[name.asciiLowercased]
    }
}
