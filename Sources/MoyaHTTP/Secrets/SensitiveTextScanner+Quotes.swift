extension SensitiveTextScanner {
    struct Quote {
        /// The bytes of the quote; with backslashes in front, as in JSON inside a JSON string.
        let bytes: [UInt8]
        let end: Int
    }

    private static let escapedQuotes = [
        "\"\"\"", "&quot;", "&#34;", "&#x22;", "&#39;", "&apos;", "%22", "%27", "\\u0022", "\\u0027",
    ].map { Array($0.utf8) }

    /// What precedes the quote of a string in the source or the debug output of a program.
    private static let literalPrefixes: Set<String> = ["", "$", "@", "b", "br", "r", "rb", "u", "u8"]
    private static let calls: Set<String> = ["Optional", "Some", "String"]

    func quote(at index: Int) -> Quote? {
        guard index < bytes.count, "\"'`\\&%".utf8.contains(bytes[index]) else { return nil }
        for escaped in Self.escapedQuotes where bytes[index...].starts(with: escaped) {
            return Quote(bytes: escaped, end: index + escaped.count)
        }
        let end = bytes[index...].firstIndex { $0 != UInt8(ascii: "\\") } ?? bytes.count
        guard end < bytes.count, "\"'`".utf8.contains(bytes[end]) else { return nil }
        return Quote(bytes: Array(bytes[index...end]), end: end + 1)
    }

    // Returns the quote of a value: at an index, or after the beginning of a literal or calls, as in `b'x'`, `@"x"` and
    // `Optional("x")`.
    func openingQuote(at start: Int) -> Quote? {
        if let quote = quote(at: start) { return quote }
        var index = start
        while index < min(bytes.count, start + 64), bytes[index].isNameByte || "@(".utf8.contains(bytes[index]) {
            index += 1
        }
        guard index > start, let quote = quote(at: index), !endsValue(at: quote.end) else { return nil }
        let words = text(start..<index).split(separator: "(", omittingEmptySubsequences: false).map(String.init)
        let isLiteral = Self.literalPrefixes.contains(words.last?.lowercased() ?? "")
        return isLiteral && words.dropLast().allSatisfy(Self.calls.contains) ? quote : nil
    }

    /// Whether a quote in front of an index may close a string that contains a name and its value, as in `"token=b"`.
    private func endsValue(at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return true }
        if bytes[index] == UInt8(ascii: "\\") { return "\"'nrt\\".utf8.contains(bytes[index + 1]) }
        return bytes[index].isSpace || "\"'`,;:&<>)]}".utf8.contains(bytes[index])
    }

    /// Unclosed, a quote extends to the end of the text; a single quote, maybe an apostrophe, to the end of the line.
    func contentRange(of quote: Quote) -> (Range<Int>, end: Int) {
        let byte = quote.bytes[quote.bytes.count - 1]
        let isPlain = quote.bytes.count != 3 || quote.bytes[0] == UInt8(ascii: "\\")
        guard isPlain, "\"'`".utf8.contains(byte) else {
            let found = bytes[quote.end...].firstRange(of: quote.bytes)
            return (quote.end..<(found?.lowerBound ?? bytes.count), found?.upperBound ?? bytes.count)
        }
        var backslashes = 0
        for index in quote.end..<bytes.count {
            switch bytes[index] {
            case byte where closes(backslashes, quote.bytes.count - 1):
                let end = index - min(backslashes, quote.bytes.count - 1)
                return (quote.end..<end, index + 1)
            case UInt8(ascii: "\n") where byte == UInt8(ascii: "'"): return (quote.end..<index, index)
            default: break
            }
            backslashes = bytes[index] == UInt8(ascii: "\\") ? backslashes + 1 : 0
        }
        return (quote.end..<bytes.count, bytes.count)
    }

    // Quotes of nested strings have 1, 3, 7 … backslashes. An even number at any level ends the outer string.
    private func closes(_ count: Int, _ level: Int) -> Bool {
        if level == 0 || count % 2 == 0 { return count % 2 == 0 }
        return closes((count - 1) / 2, (level - 1) / 2)
    }
}

extension UInt8 {
    package var isNameByte: Bool { isAlphanumeric || self >= 0x80 || "_-.$".utf8.contains(self) }
    package var isSpace: Bool { isBlank || self == 10 || self == 13 }
    var endsNestedWord: Bool { isSpace || ",{}[]:\"'".utf8.contains(self) }
}
