/// The method of a request (RFC 9110, section 9): one of the known ones, or any other token.
///
/// Methods are case-sensitive. A method that is not a token is refused when the request is built.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method in the request line.
    public let rawValue: String

    /// Any method.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Any method, as a literal.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The method in the request line.
    public var description: String { rawValue }

    /// Transfer a representation.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Like GET, without the content.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Resource-specific processing of the content.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replace the resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Change the resource (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Remove the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Describe the communication options.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// A loop-back test along the path.
    public static let trace = HTTPMethod(rawValue: "TRACE")
    /// Establish a tunnel.
    public static let connect = HTTPMethod(rawValue: "CONNECT")

    /// Whether it is read-only by definition: GET, HEAD, OPTIONS and TRACE (RFC 9110, section 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }

    /// Whether repeating it has the effect of doing it once: the safe methods, PUT and DELETE (RFC 9110, section
    /// 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether a multipart form can be sent with it: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool { [.post, .put, .patch, .connect].contains(self) }
}

/// Moya's name for the method of a request: `Moya.Method`.
public typealias Method = HTTPMethod
