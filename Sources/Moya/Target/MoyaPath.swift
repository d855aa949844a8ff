/// The path of a target; each ``RelativeTarget`` conforms to this protocol.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`.
    ///
    /// Characters that a path cannot contain are percent-encoded, unless ``RequestOptions/pathMode`` specifies
    /// otherwise.
    ///
    /// In a struct or class, a placeholder in braces, such as `{id}`, is replaced by the value of the stored property
    /// `id`. Reserved characters of the value, such as `/`, are percent-encoded, so the value cannot add a segment.
    var path: String { get }
}
