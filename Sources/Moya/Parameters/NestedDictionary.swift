/// A value whose stored properties are sent as a nested dictionary of parameters.
///
/// ```swift
/// struct Twitter: NestedDictionary {
///     let oAuthToken: String
///     let oAuthSecret: String
/// }
/// ```
/// All stored properties are sent, except those that are `nil`. The keys are converted by the ``parameterKeys`` of this
/// type, not by the `parameterKeys` of the target.
public protocol NestedDictionary: Sendable {
    /// How the names of the properties become keys of the dictionary; by default, the keys are the names.
    static var parameterKeys: ParameterKeyStrategy { get }
}

extension NestedDictionary {
    /// The default strategy: the keys are the names of the properties.
    public static var parameterKeys: ParameterKeyStrategy { .useDefaultKeys }
}
