/// The property `parameters` of a target with values of type `Any`, as in Moya's documentation; ``RelativeTarget``
/// inherits it.
///
/// The default of ``RelativeTarget/parameters`` converts the values of this property. Without this protocol, a target's
/// property `parameters` of the type `[String: Any]?` would satisfy no requirement, and its values would not be sent.
public protocol MoyaTargetProperties: Sendable {
    /// The parameters by key. Defaults to `nil`.
    ///
    /// Values that ``ReflectiveParameters`` can send are allowed. For another value, building the request throws an
    /// error that names the key.
    @_disfavoredOverload
    var parameters: [String: Any]? { get }
}

extension MoyaTargetProperties {
    /// No parameters.
    @_disfavoredOverload
    public var parameters: [String: Any]? { nil }

    /// The parameters, converted to `Sendable` values; a value that cannot be sent is replaced by the error that
    /// building the request throws.
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
