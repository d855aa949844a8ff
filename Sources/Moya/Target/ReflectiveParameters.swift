/// A target whose stored properties are its parameters.
///
/// ```swift
/// struct Register: RelativeTarget, ReflectiveParameters {
///     let path = "/account/register"
///     let method = Moya.Method.post
///     let username: String
///     let password: String
/// }
/// ```
/// Three kinds of properties are not parameters: requirements of the target protocols, such as `path` and `method`;
/// properties whose names are placeholders in the path; and properties that are `nil`. The properties can be strings,
/// numbers, booleans, dates, URLs, UUIDs, data, enums with raw values, ``NestedDictionary`` values, and arrays and
/// dictionaries of these types. For another type, building the request throws an error that names the property.
///
/// ``parameterKeys`` converts the names of the properties to the keys of the parameters:
///
/// ```swift
/// struct ListItems: RelativeTarget, ReflectiveParameters {
///     static let parameterKeys = ParameterKeyStrategy.convertToSnakeCase
///     let path = "/items"
///     let perPage: Int                    // per_page=…
/// }
/// ```
public protocol ReflectiveParameters: RelativeTarget {
    /// Converts the names of the properties to the keys of the parameters. By default, the keys are the names.
    static var parameterKeys: ParameterKeyStrategy { get }
}

extension ReflectiveParameters {
    /// The default strategy: the keys are the names of the properties.
    public static var parameterKeys: ParameterKeyStrategy { .useDefaultKeys }

    /// The stored properties that are parameters, by key.
    public var parameters: [String: any Sendable]? {
        // What follows `?` is a query, in which braces are no placeholders.
        let template = options.pathMode == .allowingQuery ? path.prefix { $0 != "?" } : path[...]
        let (named, keys) = (Set(template.templateParts.compactMap(\.placeholder)), Self.parameterKeys)
        var parameters: [String: any Sendable] = [:]
        for (name, value) in storedProperties(of: self)
        where !targetRequirements.contains(name) && !named.contains(name)
            && !(name == "mapping" && self is any DecodableTargetType)
        {
            parameters[keys.key(for: name)] = ParameterValue.sendable(value, at: "\(type(of: self)).\(name)")
        }
        return parameters
    }
}

private let targetRequirements: Set<String> = [
    "authorizationType", "baseURL", "headers", "method", "options", "parameterEncoding", "parameters", "path",
    "sampleData", "task", "validationType",
]
