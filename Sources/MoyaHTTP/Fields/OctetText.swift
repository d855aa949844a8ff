// Text that is sent as the bytes it was received as. HTTP has no encoding for field values; what isn't valid UTF-8 is
// read as Latin-1, which old servers use.
package struct OctetText: Sendable, Equatable {
    private(set) var text: String
    package private(set) var isLatin1 = false

    init(_ text: String, isLatin1: Bool = false) {
        self.text = text
        self.isLatin1 = isLatin1
    }

    init(_ octets: some RandomAccessCollection<UInt8>) {
        if octets.allSatisfy({ $0 < 0x80 }) {
            text = String(decoding: octets, as: UTF8.self)
        } else if let valid = String(validating: octets, as: UTF8.self) {
            text = valid
        } else {
            text = String(latin1: octets)
            isLatin1 = true
        }
    }

    // Compares the bytes: a composed and a decomposed é are equal strings.
    package static func == (left: OctetText, right: OctetText) -> Bool {
        left.isLatin1 == right.isLatin1 && left.text == right.text
            && (left.text.utf8Span.isKnownASCII || left.text.utf8.elementsEqual(right.text.utf8))
    }

    package var octets: [UInt8] {
        guard isLatin1 else { return Array(text.utf8) }
        var octets: [UInt8] = []
        for scalar in text.unicodeScalars {
            // The app may have set a value that Latin-1 does not have.
            guard let octet = UInt8(exactly: scalar.value) else { return Array(text.utf8) }
            octets.append(octet)
        }
        return octets
    }

    /// Appends bytes in place, so that a value of many folded lines is not copied for each line.
    mutating func append(_ octets: some RandomAccessCollection<UInt8>) {
        let other = OctetText(octets)
        if isLatin1 {
            text += String(latin1: octets)
        } else if other.isLatin1 {
            self = OctetText(self.octets + octets)
        } else {
            text += other.text
        }
    }
}

extension String {
    init(latin1 octets: some Sequence<UInt8>) {
        self = String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
    }
}
