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
/// These properties are not parameters: requirements of the target protocols, such as `path` and `method`, properties that
/// the path names in braces, and properties that are `nil`. Strings, numbers, booleans, dates, URLs, UUIDs, data, enums
/// with raw values, ``NestedDictionary`` values, and arrays and dictionaries of these can be sent. For another type,
/// building the request throws an error that names the property.
///
/// ``parameterKeys`` makes the keys of the parameters from the names of the properties:
///
/// ```swift
/// struct ListItems: RelativeTarget, ReflectiveParameters {
///     static let parameterKeys = ParameterKeyStrategy.convertToSnakeCase
///     let path = "/items"
///     let perPage: Int                    // per_page=…
/// }
/// ```
public protocol ReflectiveParameters: RelativeTarget {
    /// Makes the keys of the parameters; defaults to the names of the properties.
    static var parameterKeys: ParameterKeyStrategy { get }
}

extension ReflectiveParameters {
    /// The names of the properties.
    public static var parameterKeys: ParameterKeyStrategy { .useDefaultKeys }

    /// The stored properties, except requirements of the target protocols, properties that the path names, and `nil`.
    public var parameters: [String: any Sendable]? {
        let (named, keys) = (Set(PathTemplate(path).placeholders), Self.parameterKeys)
        var parameters: [String: any Sendable] = [:]
        for (name, value) in StoredProperties(of: self).values
        where !targetRequirements.contains(name) && !named.contains(name)
            && !(name == "mapping" && self is any DecodableTargetType)
        {
            let key = keys.key(for: name)
            do throws(ParameterError) {
                parameters[key] = try ParameterValue(value, at: "\(type(of: self)).\(name)").sendable
            } catch {
                parameters[key] = DeferredParameterError(error: error)
            }
        }
        return parameters
    }
}

/// A value whose stored properties are a nested dictionary of parameters.
///
/// ```swift
/// struct Twitter: NestedDictionary {
///     let oAuthToken: String
///     let oAuthSecret: String
/// }
/// ```
/// All its properties are sent, except those that are `nil`. Its ``parameterKeys`` do not depend on those of the target.
public protocol NestedDictionary: Sendable {
    /// Makes the keys of the dictionary; defaults to the names of the properties.
    static var parameterKeys: ParameterKeyStrategy { get }
}

extension NestedDictionary {
    /// The names of the properties.
    public static var parameterKeys: ParameterKeyStrategy { .useDefaultKeys }
}

/// The error of a parameter that cannot be sent, stored in place of its value.
///
/// It is thrown when the request is built, because the property `parameters` cannot throw.
struct DeferredParameterError: Sendable {
    let error: ParameterError
}

/// The names of the requirements of the target protocols, which are not parameters.
private let targetRequirements: Set<String> = [
    "authorizationType", "baseURL", "headers", "method", "options", "parameterEncoding", "parameters", "path",
    "sampleData", "task", "validationType",
]
