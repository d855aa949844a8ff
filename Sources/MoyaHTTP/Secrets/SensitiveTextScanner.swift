/// Finds secrets in text that no parser accepts: JSON that was cut off, JSONP, GraphQL, XML, HTML, YAML, forms, URLs
/// and prose. A value is secret if it
/// - follows a sensitive name and `:` or `=`, with or without quotes, as in `token: x` and `"token": {"id": "x"}`;
/// - is in an element or an attribute with a sensitive name, as in `<token>x</token>`;
/// - is the password of a URL, or its user if there is no password;
/// - is a JSON Web Token, or follows the word `Bearer` or `Basic` and looks like a credential.
///
/// It moves forward through the UTF-8 text, so that its time is proportional to the length.
package struct SensitiveTextScanner {
    /// Returns whether the value of a name is secret; `isForm` is whether the two are written as in a form.
    package typealias Predicate = (_ name: String, _ value: String, _ isForm: Bool) -> Bool

    /// The authentication schemes that remain in front of a placeholder, as in `Bearer ***1` (RFC 9110, section 11.4).
    package static let schemes: Set<String> = ["apikey", "basic", "bearer", "digest", "dpop", "negotiate", "token"]

    /// Returns whether the user of a URL or of basic credentials is the secret, because the password is none.
    package static func isUserSecret(password: some StringProtocol) -> Bool {
        password.isEmpty || password == "x-oauth-basic"
    }

    let bytes: [UInt8]
    let hides: Predicate
    var position = 0
    var matches: [(range: Range<Int>, secrets: [Range<Int>])] = []
    /// The end of the URL that contains the position; 0 if none does.
    private var urlEnd = 0
    /// Which names of values were secret so far: a text has few different ones.
    private var verdicts: [String: Bool] = [:]
    lazy var endTags = Self.endTags(bytes)

    /// - Parameter replacement: receives a value as it is written, with its escapes, and the parts that are secret
    ///   wherever they occur, unlike a word of a sentence such as "the token: expired".
    package static func replaceSecrets(
        in text: String, where hides: @escaping Predicate,
        with replacement: (_ value: String, _ secrets: [String]) -> String
    ) -> String {
        var scanner = SensitiveTextScanner(bytes: Array(text.utf8), hides: hides)
        while scanner.position < scanner.bytes.count {
            let byte = scanner.bytes[scanner.position]
            if byte == UInt8(ascii: "<"), scanner.scanTag() { continue }
            if byte.isNameByte { scanner.scanWord() } else { scanner.position += 1 }
        }
        guard !scanner.matches.isEmpty else { return text }
        var result: [UInt8] = []
        var end = 0
        for match in scanner.matches where match.range.lowerBound >= end {
            let replaced = replacement(scanner.text(match.range), match.secrets.map { scanner.text($0) })
            result += scanner.bytes[end..<match.range.lowerBound] + Array(replaced.utf8)
            end = match.range.upperBound
        }
        return String(decoding: result + scanner.bytes[end...], as: UTF8.self)
    }

    private mutating func scanWord() {
        skipEscape()
        let start = position
        while position < bytes.count, bytes[position].isNameByte { position += 1 }
        let word = start..<position
        if starts(at: position, with: "://") || starts(at: position, with: ":\\/\\/") { return scanAuthority() }
        if isJSONWebToken(word) { return add(word) }
        if let credentials = credentials(after: word) {
            position = credentials.upperBound
            return add(credentials)
        }
        guard let (value, isForm) = valueStart(of: word) else { return }
        if hidesValue(of: word, at: value, isForm) {
            position = value
            scanValue(of: word, isForm)
        }
    }

    /// Moves past the rest of an escape such as `%22` or `\u0022`, whose last characters are not part of the next word.
    private mutating func skipEscape() {
        guard position > 0 else { return }
        let length =
            switch bytes[position - 1] {
            case UInt8(ascii: "%"): 2
            case UInt8(ascii: "\\"):
                switch bytes[position] {
                case UInt8(ascii: "u"): 5
                case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): 1
                default: 0
                }
            default: 0
            }
        position = min(position + length, bytes.count)
    }

    private mutating func hidesValue(of word: Range<Int>, at value: Int, _ isForm: Bool) -> Bool {
        let name = text(word)
        // Only `code` is judged by its value, too, so only its value is read here.
        let isCode = word.count == 4 && name.lowercased() == "code"
        if isCode ? hides(name, text(codeRange(at: value)), isForm) : hides(name) { return true }
        // `api key: x`
        var start = word.lowerBound - 1
        guard start > 0, bytes[start] == UInt8(ascii: " ") else { return false }
        while start > 0, bytes[start - 1].isNameByte, word.lowerBound - start < 32 { start -= 1 }
        return hides(text(start..<word.upperBound))
    }

    private mutating func hides(_ name: String) -> Bool {
        if let verdict = verdicts[name] { return verdict }
        let verdict = hides(name, "", false)
        verdicts[name] = verdict
        return verdict
    }

    /// Returns the range of a value, or of its first bytes if it is long.
    private func codeRange(at start: Int) -> Range<Int> {
        if let quote = openingQuote(at: start) { return contentRange(of: quote).0 }
        return start..<endOfWord(at: start, limit: start + 64)
    }

    /// Returns where the value of a name starts, and whether it is written as in a form; `nil` if no value follows.
    private func valueStart(of word: Range<Int>) -> (start: Int, isForm: Bool)? {
        var index = word.upperBound
        let closing = quote(at: index)
        index = closing?.end ?? index
        if starts(at: index, with: "]") { index += 1 } else if starts(at: index, with: "%5D") { index += 3 }
        let separator = skippingSpaces(index)
        var isForm = false
        if starts(at: separator, with: "=") {
            isForm = separator == index && closing == nil
            index = separator + 1
            while starts(at: index, with: "=") || starts(at: index, with: ">") { index += 1 }
        } else if starts(at: separator, with: ":") {
            // `$name: Type` declares a variable of GraphQL, and `/tokens:revoke` is a path.
            guard !starts(at: separator, with: "::"), bytes[word.lowerBound] != UInt8(ascii: "$"), separator >= urlEnd
            else { return nil }
            index = separator + (starts(at: separator, with: ":=") ? 2 : 1)
        } else if starts(at: separator, with: "%3D") || starts(at: separator, with: "%3A") {
            isForm = true
            index = separator + 3
        } else if starts(at: separator, with: "\\u003d") {
            index = separator + 6
        } else {
            return nil
        }
        let line = skippingSpaces(index)
        var start = line
        while start < bytes.count, bytes[start].isSpace { start += 1 }
        if start > line, !(openingQuote(at: start) != nil || isBracket(at: start)) {
            return start < bytes.count && startsLine(word.lowerBound) && isIndented(start, below: word)
                ? (line, false) : nil
        }
        // The quote after the colon in `"Password:"` does not open a value.
        if closing == nil, word.lowerBound > 0, start < bytes.count, bytes[start] == bytes[word.lowerBound - 1],
            quote(at: start) != nil
        {
            return nil
        }
        return (start, isForm && start == index)
    }

    private mutating func scanValue(of word: Range<Int>, _ isForm: Bool) {
        if isBracket(at: position) { return scanNested() }
        if let quote = openingQuote(at: position) {
            let (content, end) = contentRange(of: quote)
            position = end
            return add(content)
        }
        if let block = block(at: position, of: word) {
            position = block.upperBound
            return add(block)
        }
        scanWords(of: word, isForm)
    }

    // Returns the lines of a block scalar, of a mapping or of a sequence (YAML 1.2, section 8), which are indented more
    // than their name; the entries of a sequence may be indented as it is.
    private func block(at start: Int, of name: Range<Int>) -> Range<Int>? {
        guard startsLine(name.lowerBound), start < bytes.count else { return nil }
        let isScalar = "|>".utf8.contains(bytes[start])
        guard isScalar || bytes[start].isSpace else { return nil }
        var end = endOfLine(start)
        let header = bytes[start..<end].dropFirst()
        guard header.allSatisfy({ $0.isDigit || $0.isSpace || "+-".utf8.contains($0) }) else { return nil }
        var first = isScalar ? start : nil
        while end < bytes.count {
            let text = skippingSpaces(end + 1)
            let next = endOfLine(text)
            if !bytes[text..<next].allSatisfy(\.isSpace) {
                guard isIndented(text, below: name, orIsEntry: !isScalar) else { break }
                first = first ?? text
            }
            end = next
        }
        return first.map { $0..<end }
    }

    private func isIndented(_ text: Int, below name: Range<Int>, orIsEntry: Bool = true) -> Bool {
        func column(of index: Int) -> Int {
            var start = index
            while start > 0, bytes[start - 1] != 10, bytes[start - 1] != 13 { start -= 1 }
            return index - start
        }
        let indentation = column(of: text) - column(of: name.lowerBound)
        return indentation > 0 || orIsEntry && indentation == 0 && starts(at: text, with: "- ")
    }

    private func endOfLine(_ start: Int) -> Int { bytes[start...].firstIndex(of: 10) ?? bytes.count }

    /// Scans a value without quotes: one word, or, if its name starts a line, the words up to the end of the line.
    private mutating func scanWords(of name: Range<Int>, _ isForm: Bool) {
        var first = position..<endOfWord(at: position)
        if Self.schemes.contains(text(first).lowercased()), starts(at: first.upperBound, with: " ") {
            let start = skippingSpaces(first.upperBound)
            first = start..<endOfWord(at: start)
        }
        // `password: $password` refers to a variable.
        if bytes[first].first == UInt8(ascii: "$"), hides(text(first), "", false) { return position = first.upperBound }
        var words = [first]
        let isLine = startsLine(name.lowerBound)
        while isLine, let last = words.last, last.upperBound < bytes.count,
            bytes[last.upperBound].isBlank
        {
            let start = skippingSpaces(last.upperBound)
            let word = start..<endOfWord(at: start)
            if word.isEmpty || isName(at: start) { break }
            words.append(word)
        }
        position = words.last?.upperBound ?? position
        let secrets = words.filter { word in isForm || bytes[word].contains { $0.isDigit } }
        matches.append((first.lowerBound..<position, secrets))
    }

    /// Scans an object or an array, in which all values are secret.
    private mutating func scanNested() {
        var depth = 0
        while position < bytes.count {
            let start = position
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
                if depth == 0 { return }
            case let byte where byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":"): position += 1
            default:
                var content = start..<start
                if let quote = quote(at: start) {
                    (content, position) = contentRange(of: quote)
                } else {
                    while position < bytes.count, !bytes[position].endsNestedWord { position += 1 }
                    content = start..<position
                }
                let isName = starts(at: skippingSpaces(position), with: ":")
                let isQuoted = content.lowerBound > start
                if !isName { add(content, isSecret: isQuoted || bytes[content].contains { $0.isDigit }) }
            }
        }
    }

    /// Returns the end of a word without quotes, which may contain punctuation unless a delimiter of a format follows.
    private func endOfWord(at start: Int, limit: Int = .max) -> Int {
        var index = start
        while index < min(bytes.count, limit) {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            switch bytes[index] {
            case UInt8(ascii: "'") where index > start && next.isAlphanumeric: break
            case let byte where byte.isSpace || "\"'`<>&".utf8.contains(byte): return index
            case UInt8(ascii: "\\"): if "\"'nrtu\\".utf8.contains(next) { return index }
            case UInt8(ascii: ","), UInt8(ascii: ";"): if !next.isNameByte || isName(at: index + 1) { return index }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): if !next.isNameByte { return index }
            case UInt8(ascii: "#"): if index < urlEnd { return index }
            case UInt8(ascii: "%"): if starts(at: index, with: "%26") || starts(at: index, with: "%22") { return index }
            default: break
            }
            index += 1
        }
        return index
    }

    private func isName(at start: Int) -> Bool {
        let end = bytes[start...].firstIndex { !$0.isNameByte } ?? bytes.count
        return end > start && (starts(at: end, with: "=") || starts(at: end, with: ":"))
    }

    private mutating func scanAuthority() {
        let start = position + (bytes[position + 1] == UInt8(ascii: "/") ? 3 : 5)
        if start >= urlEnd {
            urlEnd = bytes[start...].firstIndex { $0.isSpace || "\"'<>`".utf8.contains($0) } ?? bytes.count
        }
        let end = bytes[start..<urlEnd].firstIndex { "/?#&\\".utf8.contains($0) } ?? urlEnd
        position = start
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        position = at + 1
        let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
        let password = min(colon + 1, at)..<at
        add(Self.isUserSecret(password: text(password)) ? start..<colon : password)
    }

    private func isJSONWebToken(_ word: Range<Int>) -> Bool {
        guard word.count > 20, ["eyJ", "eyA", "ewo"].contains(where: { starts(at: word.lowerBound, with: $0) }) else {
            return false
        }
        let parts = bytes[word].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts[0].count >= 10 && (parts.count > 2 || parts.count == 2 && parts[1].starts(with: "ey".utf8))
    }

    private func credentials(after word: Range<Int>) -> Range<Int>? {
        guard word.count == 5 || word.count == 6, starts(at: word.upperBound, with: " "),
            ["basic", "bearer"].contains(text(word).lowercased())
        else { return nil }
        let credentials = (word.upperBound + 1)..<endOfWord(at: word.upperBound + 1)
        // Words, and the parameters of a challenge, such as `realm="a"`, are not credentials.
        guard credentials.count >= 8, quote(at: credentials.upperBound) == nil || bytes[credentials].last != 0x3D,
            bytes[credentials].contains(where: { $0.isDigit || $0 == UInt8(ascii: "=") })
        else { return nil }
        return credentials
    }
}

extension SensitiveTextScanner {
    mutating func add(_ range: Range<Int>, isSecret: Bool = true) {
        guard !range.isEmpty else { return }
        matches.append((range, isSecret ? [range] : []))
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func starts(at index: Int, with text: String) -> Bool {
        guard index + text.utf8.count <= bytes.count else { return false }
        return zip(bytes[index...], text.utf8).allSatisfy { $0 == $1 || $0.isLetter && $0 ^ 0x20 == $1 }
    }

    func skippingSpaces(_ index: Int) -> Int {
        bytes[min(index, bytes.count)...].firstIndex { !$0.isBlank } ?? bytes.count
    }

    /// Whether only white space and marks of lists and quotations are between an index and the start of its line.
    private func startsLine(_ index: Int) -> Bool {
        var index = index
        while index > 0 {
            let byte = bytes[index - 1]
            if byte == 10 || byte == 13 { return true }
            guard byte.isBlank || "-*>".utf8.contains(byte) else { return false }
            index -= 1
        }
        return true
    }

    private func isBracket(at index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "["))
    }
}
