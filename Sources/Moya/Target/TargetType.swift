public import Foundation

/// What to call: one value describes one request, base URL included.
///
/// ```swift
/// enum MyService {
///     case zen
///     case showUser(id: Int)
/// }
///
/// extension MyService: TargetType {
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
    /// Where the path begins. A query that it has is kept.
    var baseURL: URL { get }
}

/// The first name of ``TargetType``: a path, and where it begins.
public typealias MoyaTarget = TargetType
