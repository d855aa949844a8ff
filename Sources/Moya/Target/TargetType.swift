public import Foundation

/// The description of a request, with its base URL.
///
/// ```swift
/// enum MyService: TargetType {
///     case zen, showUser(id: Int)
///     var baseURL: URL { URL(string: "https://api.myservice.example")! }
///     var path: String {
///         switch self {
///         case .zen: "/zen"
///         case .showUser(let id): "/users/\(id)"
///         }
///     }
/// }
/// ```
public protocol TargetType: RelativeTarget {
    /// The URL that the path is appended to. The query of the URL is preserved.
    var baseURL: URL { get }
}

/// An alternative name for ``TargetType``.
public typealias MoyaTarget = TargetType
