/// The path of a target; each ``RelativeTarget`` conforms to this protocol.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`.
    ///
    /// Characters that a path cannot contain are percent-encoded, unless ``RequestOptions/pathMode`` specifies
    /// otherwise.
    ///
    /// In a struct or class, a placeholder in braces, such as `{id}`, is replaced by the value of the stored property
    /// `id`. Reserved characters of the value, such as `/`, are percent-encoded, so that the value adds no segment.
    var path: String { get }
}
