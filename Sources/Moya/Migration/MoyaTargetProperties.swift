/// A protocol that lets a target declare `parameters` as `[String: Any]?`, as in Moya's documentation.
///
/// Each ``RelativeTarget`` conforms to this protocol. By default, ``RelativeTarget/parameters`` contains the declared
/// values, converted to `Sendable` values.
public protocol MoyaTargetProperties: Sendable {
    /// The parameters by key. Defaults to `nil`.
    ///
    /// The values can be of the types that ``ReflectiveParameters`` lists. For another value, building the request
    /// throws an error that names the key.
    @_disfavoredOverload
    var parameters: [String: Any]? { get }
}

extension MoyaTargetProperties {
    /// The default: no parameters.
    @_disfavoredOverload
    public var parameters: [String: Any]? { nil }

    /// The parameters, converted to `Sendable` values.
    ///
    /// This property cannot throw. Therefore, a ``DeferredParameterError`` takes the place of a value that cannot be
    /// sent. Building the request throws the `error` of the ``DeferredParameterError``.
    var convertedParameters: [String: any Sendable]? {
        func read(_ target: some MoyaTargetProperties) -> [String: Any]? { target.parameters }
        guard let parameters = read(self) else { return nil }
        var converted: [String: any Sendable] = [:]
        for (name, value) in parameters {
            do throws(ParameterError) {
                converted[name] = try ParameterValue(value, at: "\(type(of: self)).parameters.\(name)").sendable
            } catch {
                converted[name] = DeferredParameterError(error: error)
            }
        }
        return converted
    }
}
