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
    /// The scheme of the target's token; `nil` for a target that is not ``AccessTokenAuthorizable``.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
    /// The target's path.
    public var path: String { target.path }
    /// The target's method.
    public var method: HTTPMethod { target.method }
    /// The target's parameters.
    public var parameters: [String: any Sendable]? { target.parameters }
    /// The target's encoding.
    public var parameterEncoding: any ParameterEncoding { target.parameterEncoding }
    /// The target's task.
    public var task: RequestTask { target.task }
    /// The target's headers.
    public var headers: [String: String]? { target.headers }
    /// The target's sample data.
    public var sampleData: Data { target.sampleData }
    /// The target's validation.
    public var validationType: ValidationType { target.validationType }
    /// The target's options.
    public var options: RequestOptions { target.options }
}

extension RelativeTarget {
    /// The wrapped target of a `MultiTarget`, or the target itself.
    var unwrapped: any RelativeTarget {
        // Comparing types costs less than a cast.
        guard Self.self == MultiTarget.self else { return self }
        return (self as? MultiTarget)?.target.unwrapped ?? self
    }
}
