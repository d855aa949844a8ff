/// The parameters of a target as Moya's documentation writes them, with `Any`; ``RelativeTarget`` inherits them.
///
/// The default of ``RelativeTarget/parameters`` is this property. A protocol of its own keeps the two apart: without
/// it, a property `[String: Any]?` would be a property of the target only, and would not be sent.
public protocol MoyaTargetProperties: Sendable {
    /// The parameters by key. Defaults to `nil`.
    ///
    /// Values that ``ReflectiveParameters`` can send are allowed. For another one, building the request throws an error
    /// that names the key.
    @_disfavoredOverload
    var parameters: [String: Any]? { get }
}

extension MoyaTargetProperties {
    /// None.
    @_disfavoredOverload
    public var parameters: [String: Any]? { nil }

    /// The parameters with `Any`, each converted, or replaced by the reason why it cannot be sent.
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
