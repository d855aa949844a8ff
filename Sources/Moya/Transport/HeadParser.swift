/// Collects the lines of response heads and trailers, as they come from the wire.
struct HeadParser {
    enum Result: Equatable {
        /// More lines are needed, or the head was of the class 1xx.
        case incomplete
        case head(ResponseHead)
        /// No head that anybody could rely on: the status is no number of three digits, the length of the content is none
        /// (RFC 9112, section 6.3), or there is no end of fields.
        case malformed
    }

    /// What a head, or all trailers, may have at most, in bytes.
    private static let longest = 300 << 10

    /// Nil before the status line.
    private var statusCode: Int?
    private(set) var version = ""
    private var headers = HTTPHeaders()
    private var length = 0
    private var isComplete = false
    private(set) var trailers = HTTPHeaders()

    mutating func add(_ line: some Collection<UInt8>) -> Result {
        length += line.count
        guard length <= Self.longest else { return .malformed }
        // The end, whatever stands behind the CR: libcurl takes it for that, and goes on with content.
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { return complete() }
        let text = String(headBytes: line)
        guard statusCode != nil else { return begin(text) }
        if let first = text.first, first == " " || first == "\t" {
            // RFC 9112, 5.2: the line goes on with the field before it.
            if isComplete {
                trailers.extendLast(by: text[...].trimmingSpaces)
            } else {
                headers.extendLast(by: text[...].trimmingSpaces)
            }
            return .incomplete
        }
        guard let colon = text.firstIndex(of: ":") else { return .incomplete }
        let name = text[..<colon].trimmingSpaces
        let value = text[text.index(after: colon)...].trimmingSpaces
        if isComplete { trailers.add(name, value) } else { headers.add(name, value) }
        return .incomplete
    }

    private mutating func begin(_ text: String) -> Result {
        let parts = text.split(separator: " ", maxSplits: 2)
        guard text.hasPrefix("HTTP/"), parts.count > 1, parts[1].utf8.count == 3, parts[1].isDigits,
            let code = Int(parts[1]), code >= 100
        else { return .malformed }
        version = String(parts[0])
        statusCode = code
        return .incomplete
    }

    private mutating func complete() -> Result {
        guard !isComplete, let statusCode else { return .incomplete }
        guard !(100..<200).contains(statusCode) || statusCode == 101 else {
            self = HeadParser()
            return .incomplete
        }
        guard headers["Transfer-Encoding"] != nil || headers.contentLengthIsSound else { return .malformed }
        isComplete = true
        length = 0
        return .head(ResponseHead(statusCode: statusCode, version: version, headers: headers))
    }
}

extension HTTPHeaders {
    /// Whether there is no length of the content, or one that is a number, if more than once the same.
    fileprivate var contentLengthIsSound: Bool {
        guard let field = self["Content-Length"] else { return true }
        let lengths = field.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        return Set(lengths).count == 1 && lengths.allSatisfy { $0.isDigits && Int64($0) != nil }
    }
}

extension String {
    /// A header line: UTF-8 where it is that, else Latin-1, which is what the bytes of old servers mean.
    fileprivate init(headBytes bytes: some Collection<UInt8>) {
        var bytes = Array(bytes)
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        self =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
