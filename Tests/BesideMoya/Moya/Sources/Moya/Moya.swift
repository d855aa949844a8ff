import Foundation

/// Describes a request.
public protocol TargetType {
    /// The URL that the path is appended to.
    var baseURL: URL { get }
    /// The path of the request.
    var path: String { get }
}

/// Sends requests.
public final class MoyaProvider<Target: TargetType> {
    /// Creates a provider.
    public init() {}

    /// Sends a request.
    public func request(_ target: Target) -> String { "old \(target.path)" }
}
