import Foundation

extension Data {
    /// The pin of this X.509 certificate in DER (RFC 5280); `nil` if the certificate is malformed.
    ///
    /// The hash is that of SubjectPublicKeyInfo, which is read here because the keys of Apple's API omit the algorithm.
    var certificatePin: Data? {
        var outer = DERReader(Array(self)[...])
        guard let certificate = outer.next(.sequence), outer.isAtEnd else { return nil }
        var parts = DERReader(certificate.content)
        guard let body = parts.next(.sequence) else { return nil }
        var fields = DERReader(body.content)
        // The field for the version is optional: certificates of version 1 do not have it.
        _ = fields.next(.version)
        // Skips the serial number, the algorithm of the signature, the issuer, the validity and the subject.
        for tag in [DERReader.Tag.integer, .sequence, .sequence, .sequence, .sequence] {
            guard fields.next(tag) != nil else { return nil }
        }
        return fields.next(.sequence).map { Data(MessageDigest.sha256(Array($0.whole))) }
    }
}

/// A DER reader (X.690) for just the tags and lengths that certificates use.
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
        case version = 0xa0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads the next value if it has the given tag; otherwise reads nothing and returns `nil`.
    mutating func next(_ tag: Tag) -> (content: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)? {
        let bytes = rest
        guard bytes.count >= 2, bytes[bytes.startIndex] == tag.rawValue else { return nil }
        var start = bytes.startIndex + 2
        var length = Int(bytes[start - 1])
        if length >= 0x80 {
            // Three bytes of length allow 16 MB, which is more than the size of any certificate.
            let digits = bytes[start...].prefix(length & 0x7f)
            guard (1...3).contains(digits.count), digits.count == length & 0x7f else { return nil }
            start += digits.count
            length = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.endIndex - start >= length else { return nil }
        rest = bytes[(start + length)...]
        return (bytes[start..<start + length], bytes[..<(start + length)])
    }
}
