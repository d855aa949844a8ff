/// Something that stands for a path, relative to a base URL that is known elsewhere.
public protocol MoyaPath: Sendable {
    /// The path below the base URL, such as `/users/7`; it is percent-encoded for you.
    ///
    /// In a struct or class, `{name}` stands for the value of the stored property of that name, as one segment: `/` and
    /// everything else in it is encoded, so that no value can reach another path.
    var path: String { get }
}
