/// A path relative to a base URL.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`; it is percent-encoded for you.
    ///
    /// In a struct or class, `{name}` is replaced by the value of the stored property of that name, as one segment: `/`
    /// and all other reserved characters in it are encoded, so that no value can name another path.
    var path: String { get }
}
