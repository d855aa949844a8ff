#if os(Linux)
    struct CurlResponseReceiver {
        private(set) var head: ResponseHead?
        /// The codings of the content in the order of decoding; empty if the content is delivered unchanged.
        private var codings: [ContentCoding] = []
        /// The decoders for `codings`; empty before the first byte of content.
        private var decoders: [ContentDecoder] = []
        /// How many bytes were decoded of those that libcurl passes again, because it was paused.
        var decodedBytes = 0
        private let mayDecode: Bool
        private var parser = HeadParser()
        /// Why the head or the trailers are malformed; `nil` if they are not.
        private(set) var fault: String?
        /// Whether libcurl is paused until the number of unconsumed bytes is at most half of `window`.
        private(set) var isPaused = false
        /// Whether libcurl is paused because of the window, and not only until decoded content is delivered.
        private var isFull = false
        private var unconsumed = 0
        /// The number of unconsumed bytes at which libcurl is paused, or `nil` if libcurl is never paused.
        private let window: Int?
        /// The number of bytes that may still be delivered, or `nil` if there is no limit.
        private var allowance: Int?
        /// The number of bytes before decoding that are still expected, or `nil` if the length is not known.
        private var remaining: Int64?

        init(_ request: TransportRequest? = nil) {
            window = if case .chunks(let window) = request?.delivery { window } else { nil }
            allowance = request?.maximumResponseSize
            mayDecode = request.map { $0.headers.acceptsCodings || $0.decodesUnrequestedCodings } ?? false
        }

        var isDecoding: Bool { !codings.isEmpty }

        var exceedsMaximum: Bool { allowance.map { $0 < 0 } == true }

        /// Whether the head and all content have arrived; `false` if the length of the content is not known.
        var isComplete: Bool { head != nil && remaining == 0 }

        var hasUnknownLength: Bool { head != nil && remaining == nil }
        var isChunked: Bool { head?.headers["Transfer-Encoding"] != nil }

        /// Whether the content ends where its codings end; also `true` without content.
        var isContentComplete: Bool { decoders.allSatisfy(\.hasEnded) }

        /// Returns the decoders of the content, the first of which decodes the received bytes; `nil` without memory.
        mutating func contentDecoders() -> [ContentDecoder]? {
            if decoders.isEmpty { decoders = codings.compactMap { ContentDecoder($0) } }
            return decoders.count == codings.count ? decoders : nil
        }

        var trailers: HTTPHeaders { parser.trailers }

        mutating func add(_ line: some RandomAccessCollection<UInt8>) -> HeadParser.Result {
            let result = parser.add(line)
            if case .malformed = result { fault = parser.fault }
            if case .head(let head) = result {
                self.head = head
                if head.statusCode == 204 || head.statusCode == 304 {
                    remaining = 0
                } else if !isChunked {
                    remaining = head.headers["Content-Length"].flatMap { Int64($0) }
                }
                if mayDecode, head.statusCode != 206, let field = head.headers["Content-Encoding"] {
                    codings = ContentCoding.codings(in: field) ?? []
                }
            }
            return result
        }

        /// Returns whether content may be delivered now; if this method returns `false`, the caller must pause libcurl.
        ///
        /// `undelivered` is the number of decoded bytes that wait for a delivery: a few bytes may be decoded to many.
        mutating func admit(undelivered: Int = 0) -> Bool {
            isFull = window.map { unconsumed >= max($0, 1) } ?? false
            isPaused = isFull || Self.isDue(undelivered)
            return !isPaused
        }

        /// Whether decoded content is delivered before more is decoded; then other exchanges have their turn, too.
        static func isDue(_ bytes: Int) -> Bool { bytes >= 1 << 20 }

        /// Counts bytes before decoding.
        mutating func received(_ bytes: Int) { remaining = remaining.map { $0 - Int64(bytes) } }

        /// Counts bytes as unconsumed; returns `false` if the content is larger than its maximum.
        mutating func count(_ bytes: Int) -> Bool {
            unconsumed += bytes
            guard let rest = allowance else { return true }
            allowance = rest - bytes
            return bytes <= rest
        }

        /// Subtracts `bytes` from the unconsumed bytes; returns `true` if the caller must resume a paused transfer.
        mutating func acknowledge(_ bytes: Int) -> Bool {
            unconsumed = max(unconsumed - max(bytes, 0), 0)
            guard isPaused, !isFull || unconsumed <= (window ?? 0) / 2 else { return false }
            isPaused = false
            return true
        }
    }
#endif
