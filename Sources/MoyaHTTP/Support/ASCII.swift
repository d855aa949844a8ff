extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    package var isAlphanumeric: Bool { isLetter || isDigit }
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    /// Whether the byte is an ASCII control character other than a tab, and therefore not allowed in a field value.
    package var isControl: Bool { self < 0x20 && self != UInt8(ascii: "\t") || self == 0x7f }
    package var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without the spaces and tabs at both ends (RFC 9110, section 5.6.3).
    package var trimmed: SubSequence {
        var rest = self[...]
        while let last = rest.last, last.isBlank { rest.removeLast() }
        while let first = rest.first, first.isBlank { rest.removeFirst() }
        return rest
    }
}

extension [UInt8] {
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

// Other modules call generic code unspecialized; the attributes have it compiled for the types that occur.
extension StringProtocol {
    package var trimmed: Substring {
        @_specialize(where Self == String)
        @_specialize(where Self == Substring)
        get { Substring(Substring(self).utf8.trimmed) }
    }

    package var isDigits: Bool {
        @_specialize(where Self == String)
        @_specialize(where Self == Substring)
        get { !isEmpty && utf8.allSatisfy(\.isDigit) }
    }

    package var isPrintableASCII: Bool {
        @_specialize(where Self == String)
        @_specialize(where Self == Substring)
        get { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
    }

    package var hasControls: Bool {
        !isPrintableASCII && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension String {
    var asciiLowercased: String { String(decoding: utf8.map(\.lowercased), as: UTF8.self) }

    package func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && (self == other || zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased })
    }
}
