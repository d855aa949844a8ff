/// The authentication scheme in front of a token in the `Authorization` field (RFC 9110, section 11.6.2).
public enum AuthorizationType: Sendable, Hashable {
    /// `Basic` (RFC 7617).
    ///
    /// A token `name:password` is encoded in base 64. A token without a colon must be in base 64 already.
    case basic
    /// `Bearer` (RFC 6750).
    case bearer
    /// Another scheme with the given name.
    case custom(String)

    /// The name of the scheme, as it is sent.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let value): value
        }
    }
}

// A conformance that is isolated to the main actor could not be found where requests are prepared.

/// A target that declares the authentication scheme of its token, see ``AccessTokenPlugin``.
///
/// ```swift
/// extension GitHub: AccessTokenAuthorizable {
///     var authorizationType: AuthorizationType? { self == .zen ? nil : .bearer }
/// }
/// ```
public protocol AccessTokenAuthorizable: SendableMetatype {
    /// The authentication scheme of the token, or `nil` if no token is sent for the target.
    var authorizationType: AuthorizationType? { get }
}
