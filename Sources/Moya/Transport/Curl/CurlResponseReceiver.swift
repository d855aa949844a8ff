#if os(Linux)
    import Foundation

    /// The response of a transfer: its head, and the flow control of its content.
    struct CurlResponseReceiver {
        private enum Flow {
            case reading
            /// libcurl is paused until the number of unconsumed bytes is at most half of `window`.
            case paused
        }

        /// The head; `nil` before it is complete.
        private(set) var head: ResponseHead?
        /// Whether libcurl decodes the content.
        var isDecoding: Bool
        private var parser = HeadParser()
        private var flow = Flow.reading
        /// The number of bytes that were delivered and are not yet consumed.
        private var unconsumed = 0
        /// The number of unconsumed bytes at which libcurl is paused, or `nil` if libcurl is never paused.
        private let window: Int?

        init(_ delivery: TransportRequest.Delivery, isDecoding: Bool) {
            if case .chunks(let window) = delivery { self.window = window } else { window = nil }
            self.isDecoding = isDecoding
        }

        var trailers: HTTPHeaders { parser.trailers }

        /// Adds a line of the head, or of the trailers.
        mutating func add(_ line: some RandomAccessCollection<UInt8>) -> HeadParser.Result {
            let result = parser.add(line)
            if case .head(let head) = result { self.head = head }
            return result
        }

        /// Returns whether `count` bytes of content may be delivered now; if so, counts the bytes as unconsumed.
        ///
        /// If this method returns `false`, the caller must pause libcurl.
        mutating func admit(_ count: Int) -> Bool {
            if let window, unconsumed >= max(window, 1) {
                flow = .paused
                return false
            }
            unconsumed += count
            return true
        }

        /// Subtracts `bytes` from the unconsumed bytes; returns `true` if the caller must resume a paused transfer.
        mutating func consumed(_ bytes: Int) -> Bool {
            unconsumed = max(unconsumed - max(bytes, 0), 0)
            guard flow == .paused, let window, unconsumed <= window / 2 else { return false }
            flow = .reading
            return true
        }
    }
#endif
