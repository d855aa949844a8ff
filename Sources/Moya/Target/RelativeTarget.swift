public import Foundation

/// What to call, apart from the base URL: path, method, parameters or task, headers, and sample data for tests.
///
/// Only ``MoyaPath/path`` has no default. A target that also knows its base URL is a ``TargetType``.
///
/// ```swift
/// struct ShowUser: RelativeTarget {
///     let path = "/users/{id}"
///     let id: Int
/// }
/// ```
public protocol RelativeTarget: MoyaPath {
    /// The method. GET unless said otherwise.
    var method: HTTPMethod { get }
    /// The parameters, by key; nil unless said otherwise. ``task`` sends them, unless you give another.
    var parameters: [String: any Sendable]? { get }
    /// How ``parameters`` are sent. `URLEncoding.default` unless said otherwise.
    var parameterEncoding: any ParameterEncoding { get }
    /// What the request carries. Unless said otherwise ``parameters``, or nothing if they are nil.
    var task: RequestTask { get }
    /// The header fields. None unless said otherwise.
    var headers: [String: String]? { get }
    /// The body of the stub's answer. Empty unless said otherwise.
    var sampleData: Data { get }
    /// Which status codes make a failure of an answer. None unless said otherwise.
    var validationType: ValidationType { get }
    /// What it wants otherwise than the provider does by default. Nothing unless said otherwise.
    var options: RequestOptions { get }
}

extension RelativeTarget {
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var parameters: [String: any Sendable]? { nil }
    /// `URLEncoding.default`.
    public var parameterEncoding: any ParameterEncoding { URLEncoding.default }
    /// The parameters, or nothing if they are nil.
    public var task: RequestTask {
        parameters.map { .requestParameters(parameters: $0, encoding: parameterEncoding) } ?? .requestPlain
    }
    /// None.
    public var headers: [String: String]? { nil }
    /// Empty.
    public var sampleData: Data { Data() }
    /// None: every answer is a success.
    public var validationType: ValidationType { .none }
    /// As the provider does it.
    public var options: RequestOptions { RequestOptions() }
}
