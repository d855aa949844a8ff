/// Makes the keys of parameters from the names of properties; see ``ReflectiveParameters/parameterKeys``.
///
/// The cases are those of `JSONEncoder.KeyEncodingStrategy`.
public enum ParameterKeyStrategy: Sendable {
    /// The names of the properties.
    case useDefaultKeys
    /// The names in snake case: `per_page` for `perPage`, with the word boundaries of `JSONEncoder`.
    case convertToSnakeCase
    /// The keys that a function returns for the names.
    case custom(@Sendable (String) -> String)

    /// Returns the key of a property.
    public func key(for name: String) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertToSnakeCase: Self.snakeCase(name)
        case .custom(let key): key(name)
        }
    }

    /// Begins a word at each upper case letter that follows the first letter of the name, and of several in a row at the
    /// first and at the last one, if a lower case letter follows.
    private static func snakeCase(_ name: String) -> String {
        let letters = Array(name)
        var (result, index) = ("", 0)
        func append(until end: Int) {
            if index > 0 { result += "_" }
            result += String(letters[index..<end]).lowercased()
            index = end
        }
        var search = 1
        while let upper = letters.indices.dropFirst(search).first(where: { letters[$0].isUppercase }) {
            append(until: upper)
            guard let lower = letters.indices.dropFirst(upper).first(where: { letters[$0].isLowercase }) else { break }
            if lower > upper + 1 { append(until: lower - 1) }
            search = lower + 1
        }
        if index < letters.count { append(until: letters.count) }
        return result
    }
}
