extension StringProtocol {
    // Replaces each scalar for which `escapes` isn't `nil`. Works on scalars, because a quote and a following
    // combining mark are one character, but the quote must be escaped.
    package func escaping(_ escapes: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Array where Element == UInt8 {
    /// Removes one level of percent-encoding, HTML references and JSON escapes; for searching, so invalid ones remain.
    package var unescaped: [UInt8] {
        guard contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\") })
        else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var index = 0
        while index < count {
            let escape =
                switch self[index] {
                case UInt8(ascii: "%"): hexadecimal(at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
                case UInt8(ascii: "&"): htmlReference(at: index)
                case UInt8(ascii: "\\"): jsonEscape(at: index)
                default: nil as ([UInt8], Int)?
                }
            result += escape?.0 ?? [self[index]]
            index += escape?.1 ?? 1
        }
        return result
    }

    private func hexadecimal(at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= count else { return nil }
        return UInt32(String(decoding: self[index..<index + digits], as: UTF8.self), radix: 16)
    }

    private func jsonEscape(at index: Int) -> ([UInt8], Int)? {
        guard index + 1 < count else { return nil }
        switch self[index + 1] {
        case UInt8(ascii: "u"): return hexadecimal(at: index + 2, digits: 4).map { (Self.utf8($0), 6) }
        case UInt8(ascii: "n"): return ([10], 2)
        case UInt8(ascii: "r"): return ([13], 2)
        case UInt8(ascii: "t"): return ([9], 2)
        case let byte where "\"'/\\".utf8.contains(byte): return ([byte], 2)
        default: return nil
        }
    }

    private func htmlReference(at index: Int) -> ([UInt8], Int)? {
        guard let end = self[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: self[(index + 1)..<end], as: UTF8.self).lowercased()
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = names[name] { return (Array(character.utf8), end + 1 - index) }
        let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        return name.hasPrefix("#") ? code.map { (Self.utf8($0), end + 1 - index) } : nil
    }

    private static func utf8(_ code: UInt32) -> [UInt8] {
        Array(String(Unicode.Scalar(code).map(Character.init) ?? "\u{FFFD}").utf8)
    }
}
