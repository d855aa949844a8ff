import Foundation
import MoyaHTTP

struct EncodedText {
    let string: String
    private let encoding: String.Encoding
    private let mark: Data

    private static let marks: [([UInt8], String.Encoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
        ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ]

    /// Tries the byte order mark, the zero bytes of the first characters, UTF-8 if valid, the media type's charset, and
    /// Latin-1; `nil` if the content is not text.
    init?(_ data: Data, mimeType: String) {
        let mark = Self.marks.first { data.starts(with: $0.0) }
        self.mark = Data(mark?.0 ?? [])
        let content = data.dropFirst(mark?.0.count ?? 0)
        let declared = (["Content-Type": mimeType] as HTTPHeaders).textEncoding
        let candidates = [mark?.1 ?? Self.wideEncoding(content), .utf8, declared, .isoLatin1]
        for encoding in candidates.compactMap(\.self) {
            guard let string = Self.decoded(content, encoding) else { continue }
            // Backspace, tab, line feed, form feed, carriage return and escape occur in text.
            let text: Set<UInt32> = [8, 9, 10, 12, 13, 27]
            guard !string.unicodeScalars.contains(where: { $0.value < 0x20 && !text.contains($0.value) })
            else { return nil }
            (self.string, self.encoding) = (string, encoding)
            return
        }
        return nil
    }

    func data(_ text: String) -> Data? {
        text.data(using: encoding).map { mark + $0 }
    }

    private static func decoded(_ data: Data, _ encoding: String.Encoding) -> String? {
        switch encoding {
        case .utf8: String(validating: data, as: UTF8.self)
        case .utf16LittleEndian, .utf16BigEndian: String(data: data.dropLast(data.count % 2), encoding: encoding)
        case .utf32LittleEndian, .utf32BigEndian: String(data: data.dropLast(data.count % 4), encoding: encoding)
        default: String(data: data, encoding: encoding)
        }
    }

    /// Returns the encoding of text without a mark whose first characters are ASCII; `nil` for one byte per character.
    private static func wideEncoding(_ data: Data) -> String.Encoding? {
        switch data.prefix(4).map({ $0 == 0 }) {
        case [false, true, true, true]: .utf32LittleEndian
        case [true, true, true, false]: .utf32BigEndian
        case [false, true, false, true]: .utf16LittleEndian
        case [true, false, true, false]: .utf16BigEndian
        default: nil
        }
    }
}
