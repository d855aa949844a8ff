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
/// Left out are the requirements of the target protocols, such as `path` and `method`, properties that the path names in
/// braces, and what is nil. Strings, numbers, truth values, dates, URLs, UUIDs, data, enums with raw values,
/// ``NestedDictionary`` and arrays and dictionaries of these can be sent; another type is an error when the request is
/// built, which names the property.
public protocol ReflectiveParameters: RelativeTarget {}

extension ReflectiveParameters {
    /// The stored properties.
    public var parameters: [String: any Sendable]? {
        let named = Set(PathTemplate(path).placeholders)
        var parameters: [String: any Sendable] = [:]
        for (name, value) in StoredProperties(of: self).values
        where !targetRequirements.contains(name) && !named.contains(name)
            && !(name == "mapping" && self is any DecodableTargetType)
        {
            do throws(ParameterError) {
                parameters[name] = try ParameterValue(value, at: "\(type(of: self)).\(name)").sendable
            } catch {
                parameters[name] = RefusedParameter(error: error)
            }
        }
        return parameters
    }
}

/// A value whose stored properties are a dictionary of parameters, for parameters in parameters.
///
/// ```swift
/// struct Twitter: NestedDictionary {
///     let oAuthToken: String
///     let oAuthSecret: String
/// }
/// ```
/// Each of its properties is sent, but those that are nil.
public protocol NestedDictionary: Sendable {}

/// A parameter that cannot be sent: said when the request is built, where errors can be thrown.
struct RefusedParameter: Sendable {
    let error: ParameterError
}

/// What a target says about itself is not what it sends.
private let targetRequirements: Set<String> = [
    "authorizationType", "baseURL", "headers", "method", "options", "parameterEncoding", "parameters", "path",
    "sampleData", "task", "validationType",
]
