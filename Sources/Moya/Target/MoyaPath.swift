/// A path relative to a base URL.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`; reserved characters are percent-encoded automatically.
    ///
    /// In a struct or class, `{name}` is replaced by the value of the stored property of that name, as one segment: `/`
    /// and all other reserved characters in the value are encoded, so that it cannot change the structure of the path.
    var path: String { get }
}
