package import Foundation

extension HTTPHeaders {
    /// Whether the content was sent in a coding such as gzip (RFC 9110, section 8.4).
    package var hasContentCoding: Bool {
        ListFieldValue(self["Content-Encoding"] ?? "").elements.contains { $0.lowercased() != "identity" }
    }

    /// The encoding that the `charset` of `Content-Type` names; UTF-8 without a `charset`, `nil` for an unknown name.
    package var textEncoding: String.Encoding? {
        guard let name = contentType?.parameter("charset"), !name.isEmpty else { return .utf8 }
        // Some servers write single quotation marks.
        return Self.encodings[name.trimmingCharacters(in: CharacterSet(charactersIn: "'")).lowercased()]
    }

    // By IANA's names. As in browsers, ASCII and Latin-1 stand for Windows-1252, which extends both.
    // Foundation on Linux decodes `macintosh` to other characters, so it is unknown.
    private static let encodings: [String: String.Encoding] = [
        "ascii": .windowsCP1252, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP, "iso-8859-1": .windowsCP1252,
        "iso-8859-2": .isoLatin2, "latin1": .windowsCP1252, "shift_jis": .shiftJIS,
        "us-ascii": .windowsCP1252, "utf-16": .utf16, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "utf-32": .utf32, "utf-8": .utf8, "utf8": .utf8, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
    ]

    package var mediaType: String? { contentType?.mediaType }

    /// The last value of `Content-Type`, as in browsers.
    package var contentType: String? {
        let value = self["Content-Type"]
        guard let list = value, list.utf8.contains(UInt8(ascii: ",")) else { return value }
        return ListFieldValue(list).elements.last { $0.contains("/") }.map(String.init)
    }
}
