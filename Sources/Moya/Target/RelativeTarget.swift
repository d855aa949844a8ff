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
public protocol RelativeTarget: MoyaPath, MoyaTargetProperties {
    /// The method. Defaults to GET.
    var method: HTTPMethod { get }
    /// The parameters by key. Defaults to `nil`. The default ``task`` sends them.
    var parameters: [String: any Sendable]? { get }
    /// The encoding of ``parameters``. Defaults to `URLEncoding.default`.
    var parameterEncoding: any ParameterEncoding { get }
    /// The content and the query parameters. Defaults to ``parameters``, or to a plain request if they are `nil`.
    var task: RequestTask { get }
    /// The header fields. Defaults to `nil`.
    var headers: [String: String]? { get }
    /// The content of a stub's response. Defaults to empty data.
    var sampleData: Data { get }
    /// The status codes that are successes. Defaults to all.
    var validationType: ValidationType { get }
    /// The options in which the target differs from its provider. Defaults to none.
    var options: RequestOptions { get }
}

extension RelativeTarget {
    /// GET.
    public var method: HTTPMethod { .get }
    /// The parameters as Moya's documentation writes them, with `Any`, if the target has any; otherwise none.
    public var parameters: [String: any Sendable]? { convertedParameters }
    /// `URLEncoding.default`.
    public var parameterEncoding: any ParameterEncoding { URLEncoding.default }
    /// The parameters, or a plain request if they are `nil`.
    public var task: RequestTask {
        parameters.map { .requestParameters(parameters: $0, encoding: parameterEncoding) } ?? .requestPlain
    }
    /// None.
    public var headers: [String: String]? { nil }
    /// Empty.
    public var sampleData: Data { Data() }
    /// `.none`: every response is a success.
    public var validationType: ValidationType { .none }
    /// The provider's options.
    public var options: RequestOptions { RequestOptions() }
}
