extension StringProtocol {
    /// Returns the text with each scalar replaced by the string that `escapes` returns for the scalar.
    ///
    /// If `escapes` returns `nil`, the scalar is unchanged. The closure receives scalars instead of characters, because
    /// a quote and a following combining mark are one character, but the quote must be escaped.
    package func escaping(_ escapes: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    /// Whether the text contains a control character.
    package var hasControls: Bool {
        !isPrintableASCII && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether all characters are printable ASCII characters.
    package var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
}
