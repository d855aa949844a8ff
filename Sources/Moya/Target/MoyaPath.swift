/// A type with a path that is relative to a base URL.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`.
    ///
    /// Characters that a path cannot contain are percent-encoded, unless ``RequestOptions/pathMode`` specifies
    /// otherwise. In a struct or class, `{name}` is replaced by the value of the stored property of that name, as one
    /// segment: `/` and other reserved characters of the value are encoded, so the value cannot change the structure of
    /// the path.
    var path: String { get }
}
