extension StringProtocol {
    /// Whether the text consists of decimal digits, at least one.
    var isDigits: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension Sequence<UInt8> {
    /// The bytes as two lower-case hexadecimal digits each.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
