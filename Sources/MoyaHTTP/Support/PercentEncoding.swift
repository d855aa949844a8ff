import Foundation

/// A set of bytes that are not percent-encoded in a component of a URL (RFC 3986).
@usableFromInline
package struct URLAllowedBytes: Sendable {
    /// One bit for each ASCII byte; a bit is set if the byte is allowed.
    private let allowed: (low: UInt64, high: UInt64)

    private init(besidesUnreserved others: String) {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        allowed = (unreserved + others).utf8.reduce(into: (low: 0, high: 0)) { bits, byte in
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte & 63) }
        }
    }

    /// The allowed bytes in one segment of a path: the unreserved characters (RFC 3986, section 2.3).
    package static let segment = URLAllowedBytes(besidesUnreserved: "")
    /// The allowed bytes in a complete path: the characters of `pchar` (RFC 3986, section 3.3) and the slash.
    package static let path = URLAllowedBytes(besidesUnreserved: "/!$&'()*+,;=:@")
    /// The allowed bytes in a key or a value of a query, without delimiters such as `&` and `=`.
    package static let query = URLAllowedBytes(besidesUnreserved: "/?")
    /// The allowed bytes in a complete query, including its delimiters.
    package static let wholeQuery = URLAllowedBytes(besidesUnreserved: "/?!$&'()*+,;=:@")

    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? allowed.low : allowed.high) >> UInt64(byte & 63) & 1 == 1
    }
}

extension [UInt8] {
    package mutating func append(
        percentEncoding text: String, allowing allowed: URLAllowedBytes, spaceAsPlus: Bool = false
    ) {
        for byte in text.utf8 {
            if allowed.contains(byte) {
                append(byte)
            } else if spaceAsPlus && byte == UInt8(ascii: " ") {
                append(UInt8(ascii: "+"))
            } else {
                append(percentEncoding: byte)
            }
        }
    }

    fileprivate mutating func append(percentEncoding byte: UInt8) {
        append(UInt8(ascii: "%"))
        append(Self.digit(byte >> 4))
        append(Self.digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension StringProtocol {
    /// - Parameter keepingEscapes: whether `%` followed by two hexadecimal digits is left unchanged.
    @inlinable
    package func percentEncoded(allowing allowed: URLAllowedBytes, keepingEscapes: Bool = false) -> String {
        // A generic function is not specialized in other modules.
        Substring(self).percentEncoded(allowed, keepingEscapes)
    }

    package var formDecoded: String {
        let text = String(self).replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }
}

extension Substring {
    @usableFromInline
    package func percentEncoded(_ allowed: URLAllowedBytes, _ keepingEscapes: Bool) -> String {
        if utf8.allSatisfy(allowed.contains) { return String(self) }
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count + 16)
        for (index, byte) in zip(utf8.indices, utf8) {
            if allowed.contains(byte) || keepingEscapes && isEscape(at: index) {
                result.append(byte)
            } else {
                result.append(percentEncoding: byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func isEscape(at index: String.Index) -> Bool {
        let text = utf8[index...].prefix(3)
        return text.count == 3 && text.first == UInt8(ascii: "%")
            && text.dropFirst().allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}
