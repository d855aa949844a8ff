public import Foundation

/// A target of any type, for a provider that sends requests for targets of several types.
///
/// ```swift
/// let provider = MoyaProvider<MultiTarget>(baseURL: URL(string: "https://api.example/v1")!)
/// provider.request(ShowUser(id: 1)) { … }
/// ```
/// The provider unwraps the target: plugins, interceptors and the provider's base URL apply to the wrapped target.
public struct MultiTarget: TargetType, AccessTokenAuthorizable {
    /// The wrapped target.
    public let target: any RelativeTarget

    /// Creates a target that wraps another target.
    public init(_ target: any RelativeTarget) {
        self.target = target
    }

    /// The base URL of the wrapped target, or the relative URL `/` if the wrapped target has none.
    public var baseURL: URL { (target as? any TargetType)?.baseURL ?? URL(string: "/") ?? URL(filePath: "/") }
    /// The authorization type of the wrapped target; `nil` if that target is not ``AccessTokenAuthorizable``.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
    /// The path of the wrapped target.
    public var path: String { target.path }
    /// The method of the wrapped target.
    public var method: HTTPMethod { target.method }
    /// The parameters of the wrapped target.
    public var parameters: [String: any Sendable]? { target.parameters }
    /// The encoding of the wrapped target's parameters.
    public var parameterEncoding: any ParameterEncoding { target.parameterEncoding }
    /// The task of the wrapped target.
    public var task: RequestTask { target.task }
    /// The header fields of the wrapped target.
    public var headers: [String: String]? { target.headers }
    /// The content of a stub's response for the wrapped target.
    public var sampleData: Data { target.sampleData }
    /// The validation of the wrapped target.
    public var validationType: ValidationType { target.validationType }
    /// The options of the wrapped target.
    public var options: RequestOptions { target.options }
}

extension RelativeTarget {
    var unwrapped: any RelativeTarget {
        // Comparing types costs less than a cast.
        guard Self.self == MultiTarget.self else { return self }
        return (self as? MultiTarget)?.target.unwrapped ?? self
    }
}
