extension StringProtocol {
    /// With some scalars written otherwise.
    ///
    /// By scalars, not by characters: a quote with a combining mark behind it is another character, but still a quote.
    func escaping(_ escapes: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escapes(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }

    /// Whether it holds a control character.
    var hasControls: Bool {
        !isPrintableASCII && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether all characters are of ASCII, and none is a control character.
    var isPrintableASCII: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }
}
