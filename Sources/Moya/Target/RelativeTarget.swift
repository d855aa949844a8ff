public import Foundation

/// The description of a request without a base URL: path, method, parameters or task, headers, and sample data.
///
/// Only ``MoyaPath/path`` has no default. A target that also knows its base URL is a ``TargetType``.
///
/// ```swift
/// struct ShowUser: RelativeTarget {
///     let path = "/users/{id}"
///     let id: Int
/// }
/// ```
public protocol RelativeTarget: MoyaPath, MoyaTargetProperties, TypedTargetParameters {
    /// The method. Defaults to GET.
    var method: HTTPMethod { get }
    /// The parameters by key. Defaults to `nil`. The default ``task`` sends them.
    var parameters: [String: any Sendable]? { get }
    /// The encoding of ``parameters``. Defaults to `URLEncoding.default`.
    var parameterEncoding: any ParameterEncoding { get }
    /// The content and the query parameters. Defaults to ``parameters``, or to no content if they are `nil`.
    var task: RequestTask { get }
    /// The header fields. Defaults to `nil`.
    var headers: [String: String]? { get }
    /// The content of a stub's response. Defaults to empty data.
    var sampleData: Data { get }
    /// The status codes that are successes. Defaults to all.
    var validationType: ValidationType { get }
    /// The options of this target, which take precedence over the provider's options. Defaults to none.
    var options: RequestOptions { get }
}

extension RelativeTarget {
    /// The default method: GET.
    public var method: HTTPMethod { .get }
    /// The default: the parameters that the target declares with another type, see ``MoyaTargetProperties``, or `nil`.
    public var parameters: [String: any Sendable]? {
        let declared: DeclaredParameters = parameters
        return (DeclaredParameters.dictionary(of: declared) ?? (parameters as EncodableParameters) as? [String: Any])
            .map {
                ParameterValue.sendable(members: $0, at: "\(type(of: self)).parameters")
            }
    }
    /// The default: the encoding that the target declares with the type of an encoding, or `URLEncoding.default`.
    public var parameterEncoding: any ParameterEncoding {
        let declared: DeclaredEncoding = parameterEncoding
        return declared
    }
    /// The default task: sends the parameters, or no content if they are `nil`.
    public var task: RequestTask {
        parameters.map { .requestParameters(parameters: $0, encoding: parameterEncoding) } ?? .requestPlain
    }
    /// The default header fields: `nil`.
    public var headers: [String: String]? { nil }
    /// The default sample data: empty.
    public var sampleData: Data { Data() }
    /// The default validation: `.none`, with which every response is a success.
    public var validationType: ValidationType { .none }
    /// The default options: none, so the provider's options apply.
    public var options: RequestOptions { RequestOptions() }
}

/// The path of a target; each ``RelativeTarget`` conforms to this protocol.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`.
    ///
    /// Characters that a path cannot contain are percent-encoded, unless ``RequestOptions/pathMode`` specifies
    /// otherwise.
    ///
    /// In a struct or class, a placeholder in braces, such as `{id}`, is replaced by the value of the stored property
    /// `id`. Reserved characters of the value, such as `/`, are percent-encoded, so the value cannot add a segment.
    var path: String { get }
}

extension RelativeTarget {
    /// With the case name of an enum, but without associated values, which may be secret.
    var nameForLogs: String {
        let target = unwrapped
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }
}
