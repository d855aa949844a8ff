/// The method of a request (RFC 9110, section 9): a standard method such as GET, or a custom method.
///
/// Methods are case-sensitive. The name of a method must be a token (RFC 9110, section 5.6.2), such as `PROPFIND`.
/// Building a request with any other name throws an error.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name of the method, as in the request line.
    public let rawValue: String

    /// Creates a method from its name, which is case-sensitive.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a method from a literal, such as `"PROPFIND"`.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The name of the method, as in the request line.
    public var description: String { rawValue }

    /// Requests a representation of the resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Requests the same response as GET, but without content.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Lets the resource process the content of the request.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of the resource (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Requests the communication options of the resource.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Requests a loop-back test along the path to the server.
    public static let trace = HTTPMethod(rawValue: "TRACE")
    /// Establishes a tunnel to the server through a proxy.
    public static let connect = HTTPMethod(rawValue: "CONNECT")

    /// Whether the method is read-only by definition: GET, HEAD, OPTIONS and TRACE (RFC 9110, section 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }

    /// Whether sending a request several times has the same effect as sending it once (RFC 9110, section 9.2.2).
    ///
    /// The value is `true` for the safe methods, PUT and DELETE.
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether a request with the method can have a multipart form: POST, PUT, PATCH and CONNECT, as in Moya 15.
    public var supportsMultipart: Bool { [.post, .put, .patch, .connect].contains(self) }

    package func validate() throws(TransportError) {
        guard rawValue.isToken else {
            throw .invalid("\(rawValue.debugDescription) is not a method. Use a token, such as GET.")
        }
    }
}

/// An alternative name for ``HTTPMethod``, for use as `Moya.Method`.
public typealias Method = HTTPMethod
