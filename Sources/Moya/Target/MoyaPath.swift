/// A type with a path that is relative to a base URL.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`.
    ///
    /// Characters that a path cannot contain are percent-encoded, unless ``RequestOptions/pathMode`` specifies
    /// otherwise.
    ///
    /// In a struct or class, a placeholder in braces, such as `{id}`, is replaced by the value of the stored property
    /// with this name. Reserved characters of the value, such as `/`, are percent-encoded. So the value cannot add a
    /// segment to the path.
    var path: String { get }
}
