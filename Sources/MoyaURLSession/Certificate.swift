import Foundation

/// An X.509 certificate (RFC 5280), parsed only as far as its public key.
struct Certificate: Sendable, Hashable {
    /// The certificate in DER.
    let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Returns the certificates of a file in PEM (RFC 7468), or `nil` if a certificate is malformed or there is none.
    ///
    /// Text around the certificates and PEM blocks of other kinds are ignored.
    static func all(inPEM file: Data) -> [Certificate]? {
        var certificates: [Certificate] = []
        var content: String?
        for line in String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            switch line {
            case "-----BEGIN CERTIFICATE-----":
                guard content == nil else { return nil }
                content = ""
            case "-----END CERTIFICATE-----":
                guard let bytes = content.flatMap({ Data(base64Encoded: $0) }) else { return nil }
                let certificate = Certificate(bytes)
                guard certificate.publicKey != nil else { return nil }
                certificates.append(certificate)
                content = nil
            default: content?.append(line)
            }
        }
        return content == nil && !certificates.isEmpty ? certificates : nil
    }

    var pin: Data? { publicKey.map { Data(MessageDigest.sha256($0)) } }

    /// The SubjectPublicKeyInfo in DER, copied because platform APIs' key data omits the algorithm; `nil` if malformed.
    var publicKey: [UInt8]? {
        var outer = DERReader(Array(bytes)[...])
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
        return fields.next(.sequence).map { Array($0.whole) }
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
