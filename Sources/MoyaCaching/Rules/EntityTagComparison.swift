/// Compares entity tags (RFC 9110, section 8.8.3).
enum EntityTagComparison {
    /// Returns whether two tags are equal if a leading `W/` is ignored (RFC 9110, section 8.8.3.2).
    static func weaklyEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        opaque(left) == opaque(right)
    }

    static func isWeak(_ tag: some StringProtocol) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: some StringProtocol) -> String {
        String(isWeak(tag) ? tag.dropFirst(2) : tag.dropFirst(0))
    }
}
