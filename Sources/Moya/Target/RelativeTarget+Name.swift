extension RelativeTarget {
    /// The name of the target's type, with the case name of an enum, for logs and errors.
    ///
    /// Associated values are left out, because they may be secret.
    var nameForLogs: String {
        let target = unwrapped
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return "\(type(of: target)).\(mirror.children.first?.label ?? "\(target)")"
    }
}
