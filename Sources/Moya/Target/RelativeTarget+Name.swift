extension RelativeTarget {
    /// The names of the type and the case, for logs and errors; without associated values, because they may be secret.
    var nameForLogs: String {
        let target = unwrapped
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }
}
