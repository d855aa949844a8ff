/// The name of a target for logs, metrics and spans, without the values of a request.
///
/// A program has few different labels, as metrics require: one for each type of target, or for each case of an enum.
public struct TargetLabel: Sendable, Hashable, CustomStringConvertible {
    /// The name of the type, for an enum followed by the case, such as `ShowUser` or `GitHub.userProfile`.
    ///
    /// For a case without associated values of an enum that is `CustomStringConvertible`, its description follows
    /// instead, which should not vary.
    public let name: String
    /// The path with placeholders, such as `/users/{id}`; `nil` for a path without placeholders and for an enum.
    ///
    /// The path of an enum contains the values of the case instead of placeholders.
    public let pathTemplate: String?

    /// Creates the label of a target; for a ``MultiTarget``, the label of the wrapped target.
    public init(_ target: any RelativeTarget) {
        let target = target.unwrapped
        name = target.nameForLogs
        let path = target.path.prefix { $0 != "?" }
        let isTemplate =
            path.templateParts.count > 1
            && [.struct, .class].contains(Mirror(reflecting: target).displayStyle)
        pathTemplate = isTemplate ? String(path) : nil
    }

    /// The name of the target.
    public var description: String { name }
}
