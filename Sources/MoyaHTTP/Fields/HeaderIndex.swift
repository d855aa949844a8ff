// Finds fields by name. Many fields are put in a dictionary, so that they aren't all compared with each other.
package struct HeaderIndex {
    /// The maximum number of fields that are compared one by one, which requires no memory.
    private static let maximumCompared = 16

    /// The first place of each name, in lower case, among the first `indexed` fields.
    private var places: [String: Int] = [:]
    private var indexed = 0

    package init() {}

    /// - Parameter fields: those of the previous call; fields of other names may have been appended since.
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
