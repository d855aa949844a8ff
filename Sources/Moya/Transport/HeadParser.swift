/// Collects the lines of response heads and trailers, as they come from the wire.
struct HeadParser {
    enum Result: Equatable {
        /// More lines are needed, or the head was of the class 1xx.
        case incomplete
        case head(ResponseHead)
    }

    private var statusCode = 0
    private var version = ""
    private var headers = HTTPHeaders()
    private var isComplete = false
    private(set) var trailers = HTTPHeaders()

    mutating func add(_ line: some Collection<UInt8>) -> Result {
        let text = String(headBytes: line)
        if let first = text.first, first == " " || first == "\t" {
            // RFC 9112, 5.2: the line goes on with the field before it.
            if isComplete {
                trailers.extendLast(by: text[...].trimmingSpaces)
            } else {
                headers.extendLast(by: text[...].trimmingSpaces)
            }
            return .incomplete
        }
        if text.hasPrefix("HTTP/"), !isComplete {
            let parts = text.split(separator: " ", maxSplits: 2)
            self = HeadParser()
            version = String(parts[0])
            statusCode = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            return .incomplete
        }
        if text.isEmpty { return complete() }
        guard let colon = text.firstIndex(of: ":") else { return .incomplete }
        let name = text[..<colon].trimmingSpaces
        let value = text[text.index(after: colon)...].trimmingSpaces
        if isComplete { trailers.add(name, value) } else { headers.add(name, value) }
        return .incomplete
    }

    private mutating func complete() -> Result {
        guard !isComplete else { return .incomplete }
        let isInterim = (100..<200).contains(statusCode) && statusCode != 101
        guard !isInterim else { return .incomplete }
        isComplete = true
        return .head(ResponseHead(statusCode: statusCode, version: version, headers: headers))
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
