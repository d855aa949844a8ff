extension StringProtocol {
    /// Returns the text with each scalar replaced by its escape, if `escapes` returns one.
    ///
    /// Scalars are replaced instead of characters: a quote and a following combining mark are one character, but the
    /// quote must be escaped.
    func escaping(_ escapes: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    /// Whether the text contains a control character.
    var hasControls: Bool {
        !isPrintableASCII && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether all characters are printable ASCII characters.
    var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
}
