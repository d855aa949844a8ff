extension RelativeTarget {
    /// The type and the case, for logs and error texts: associated values may be secret.
    var nameForLogs: String {
        let target = unwrapped
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }
}
