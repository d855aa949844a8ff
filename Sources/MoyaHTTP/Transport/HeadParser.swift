/// A parser of response heads (a status line and header fields) and of trailers, line by line.
package struct HeadParser {
    package enum Result: Equatable {
        /// The line does not complete the head of a final response. Heads of interim responses (1xx) are ignored.
        case incomplete
        case head(ResponseHead)
        /// The version is unknown, the status code does not have three digits, the length of the content is invalid
        /// (RFC 9112, section 6.3), or the head or the trailers are too long.
        case malformed
    }

    /// In bytes, for a head including the preceding interim heads (1xx), and separately for the trailers.
    private static let maximumLength = 300 << 10
    /// The accepted HTTP versions, which are checked here because some versions of libcurl accept any text.
    private static let versions: [Substring] = ["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/3"]

    private var statusCode: Int?
    private(set) var version = ""
    /// The fields of the head, or the trailers once the head is complete.
    private var headers = HTTPHeaders()
    private var length: Int
    private var isComplete = false
    /// Why a line was malformed.
    package private(set) var fault = "the head or the trailers of the response are not valid HTTP"
    package var trailers: HTTPHeaders { isComplete ? headers : [:] }

    /// - Parameter length: the bytes of the preceding interim heads (1xx), which count toward `maximumLength`.
    package init(length: Int = 0) {
        self.length = length
    }

    // Other modules call generic code unspecialized; the attribute gives them code for the type of libcurl's lines.
    @_specialize(exported:true,where Line == UnsafeRawBufferPointer)
    package mutating func add<Line: RandomAccessCollection<UInt8>>(_ line: Line) -> Result {
        length += line.count
        guard length <= Self.maximumLength else {
            fault = "the \(isComplete ? "trailers are" : "head of the response is") longer than 300 KiB"
            return .malformed
        }
        // As in libcurl, a line that begins with CR or LF ends the head, regardless of its other bytes.
        guard let first = line.first, first != .carriageReturn, first != .lineFeed else { return complete() }
        let line = line[...(line.lastIndex { $0 != .lineFeed && $0 != .carriageReturn } ?? line.startIndex)]
        // RFC 9110, section 5.5: these bytes must not be passed on.
        guard !line.contains(where: { $0 == .carriageReturn || $0 == 0 }) else { return .malformed }
        guard statusCode != nil else { return begin(OctetText(line.trimmed).text) }
        if first.isBlank {
            // RFC 9112, section 5.2: the line continues the previous field.
            headers.extendLast(by: line.trimmed)
            return .incomplete
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .incomplete }
        let field = HTTPHeaders.Field(
            name: OctetText(line[..<colon].trimmed).text,
            content: OctetText(line[line.index(after: colon)...].trimmed))
        headers.fields.append(field)
        return .incomplete
    }

    private mutating func begin(_ line: String) -> Result {
        let bytes = line.utf8
        guard let blank = bytes.firstIndex(of: UInt8(ascii: " ")), Self.versions.contains(line[..<blank]) else {
            return .malformed
        }
        let digits = bytes[blank...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        guard digits.count == 3, let code = Int(Substring(digits)), (100...999).contains(code) else {
            return .malformed
        }
        version = String(line[..<blank])
        statusCode = code
        headers.fields.reserveCapacity(12)
        return .incomplete
    }

    private mutating func complete() -> Result {
        guard !isComplete, let statusCode else { return .incomplete }
        guard !(100..<200).contains(statusCode) || statusCode == 101 else {
            self = HeadParser(length: length)
            return .incomplete
        }
        guard headers.hasValidContentLength else {
            fault = "the response has an invalid Content-Length"
            return .malformed
        }
        isComplete = true
        length = 0
        return .head(ResponseHead(statusCode: statusCode, version: version, headers: exchange(&headers, with: [:])))
    }
}

extension HTTPHeaders {
    /// Whether `Content-Length` is absent, overridden, a number, or a list that repeats the same number.
    package var hasValidContentLength: Bool {
        guard let field = self["Content-Length"], self["Transfer-Encoding"] == nil else { return true }
        guard !field.isDigits || Int64(field) == nil else { return true }
        let lengths = field.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        return Set(lengths).count == 1 && lengths.allSatisfy { $0.isDigits && Int64($0) != nil }
    }
}

extension UInt8 {
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
}
