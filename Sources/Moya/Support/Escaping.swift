extension StringProtocol {
    /// Returns the text with each scalar replaced for which `escapes` returns an escape.
    ///
    /// Scalars are compared instead of characters, because a quote before a combining mark is another character, but
    /// must be escaped, too.
    func escaping(_ escapes: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    /// Whether the text contains a control character.
    var hasControls: Bool {
        !isPrintableASCII && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether all characters are ASCII and none is a control character.
    var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
}
