/// Converts the names of properties to the keys of parameters; see ``ReflectiveParameters/parameterKeys``.
///
/// The cases correspond to the cases of `JSONEncoder.KeyEncodingStrategy`.
public enum ParameterKeyStrategy: Sendable {
    /// The unchanged names of the properties.
    case useDefaultKeys
    /// The names in snake case: `per_page` for `perPage`, with the word boundaries of `JSONEncoder`.
    case convertToSnakeCase
    /// The keys that a function returns for the names.
    case custom(@Sendable (String) -> String)

    /// Returns the key for the property with the given name.
    public func key(for name: String) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertToSnakeCase: Self.snakeCase(name)
        case .custom(let key): key(name)
        }
    }

    private static func snakeCase(_ name: String) -> String {
        let characters = Array(name)
        var (result, index) = ("", 0)
        func append(until end: Int) {
            if index > 0 { result += "_" }
            result += String(characters[index..<end]).lowercased()
            index = end
        }
        var search = 1
        while let upper = characters.indices.dropFirst(search).first(where: { characters[$0].isUppercase }) {
            append(until: upper)
            guard let lower = characters.indices.dropFirst(upper).first(where: { characters[$0].isLowercase }) else {
                break
            }
            if lower > upper + 1 { append(until: lower - 1) }
            search = lower + 1
        }
        if index < characters.count { append(until: characters.count) }
        return result
    }
}
