/// The properties of a target, with the types that a target can declare them with.
///
/// Each ``RelativeTarget`` conforms to this protocol.
///
/// A target can declare `parameters` as `[String: Any]?`, as in Moya's documentation, or as another dictionary with
/// keys of type `String`, optional or not, and `parameterEncoding` with the type of an encoding. By default,
/// ``RelativeTarget/parameters`` contains the declared values, converted to `Sendable` values, and
/// ``RelativeTarget/parameterEncoding`` the declared encoding.
///
/// Without the associated types, the compiler would ignore a property that has the name of a requirement but another
/// type, such as `headers: [String: String]`, and use the default implementation. With them, it refuses the likely
/// mistakes, and its message contains the right type.
public protocol MoyaTargetProperties: Sendable {
    /// The type of `headers`, always `[String: String]?`.
    associatedtype DeclaredHeaders: TargetHeaders = [String: String]?
    /// The type of `method`, always ``HTTPMethod``.
    associatedtype DeclaredMethod: TargetMethod = HTTPMethod
    /// The type of `validationType`, always ``ValidationType``.
    associatedtype DeclaredValidation: TargetValidation = ValidationType
    /// The type of `task`, always ``RequestTask``.
    associatedtype DeclaredTask: TargetTask = RequestTask
    /// The type of `parameters`, unless it is `[String: any Sendable]?`.
    associatedtype DeclaredParameters: TargetParameters = [String: Any]?
    /// The type of `parameterEncoding`, unless it is `any ParameterEncoding`.
    associatedtype DeclaredEncoding: ParameterEncoding = URLEncoding

    /// The parameters by key. Defaults to `nil`.
    ///
    /// The values can be of the types that ``ReflectiveParameters`` lists. For another value, building the request
    /// throws an error that names the key.
    @_disfavoredOverload
    var parameters: DeclaredParameters { get }
    /// The encoding of the parameters. Defaults to `URLEncoding.default`.
    @_disfavoredOverload
    var parameterEncoding: DeclaredEncoding { get }
    /// The content and the query parameters, see ``RelativeTarget/task``.
    @_disfavoredOverload
    var task: DeclaredTask { get }
    /// The header fields, see ``RelativeTarget/headers``.
    @_disfavoredOverload
    var headers: DeclaredHeaders { get }
    /// The method, see ``RelativeTarget/method``.
    @_disfavoredOverload
    var method: DeclaredMethod { get }
    /// The validation, see ``RelativeTarget/validationType``.
    @_disfavoredOverload
    var validationType: DeclaredValidation { get }
}

extension MoyaTargetProperties {
    /// The default: no parameters.
    @_disfavoredOverload
    public var parameters: [String: Any]? { nil }
    /// The default encoding: `URLEncoding.default`.
    @_disfavoredOverload
    public var parameterEncoding: URLEncoding { .default }
}

/// The parameters of a target that declares them as an optional dictionary with values of one type.
///
/// Each ``RelativeTarget`` conforms to this protocol, so that `[String: String]?`, for example, is not ignored.
public protocol TypedTargetParameters: Sendable {
    /// The type of `parameters`, if its values have one type that is `Encodable`.
    associatedtype EncodableParameters: Encodable = [String: String]?

    /// The parameters by key. Defaults to `nil`.
    @_disfavoredOverload
    var parameters: EncodableParameters { get }
}

extension TypedTargetParameters {
    /// The default: no parameters.
    @_disfavoredOverload
    public var parameters: [String: String]? { nil }
}
