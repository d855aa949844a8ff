#if os(Linux)
    /// Decides whether libcurl may send a request again on another connection (RFC 9110, section 9.2.2).
    ///
    /// Without this check, libcurl repeats every request whose reused connection turns out to be closed.
    struct RepetitionCheck {
        /// Whether the request may be repeated even if a part of it was sent.
        private let isRepeatable: Bool
        /// Whether ``mayOpen(sent:)`` has permitted a new connection since the request was last sent.
        private var hasNewConnection = false
        private(set) var hasRefused = false

        init(_ request: TransportRequest) {
            isRepeatable = request.isRepeatable
        }

        /// Whether libcurl may open a new connection; `sent` is the number of bytes it has sent in this transfer.
        mutating func mayOpen(sent: @autoclosure () -> Int) -> Bool {
            hasNewConnection = mayRepeat(sent: sent())
            return hasNewConnection
        }

        /// Ignores `sent` on a new connection, which `mayOpen` has approved; it may count a proxy tunnel's bytes.
        mutating func maySend(sent: @autoclosure () -> Int) -> Bool {
            defer { hasNewConnection = false }
            return hasNewConnection || mayRepeat(sent: sent())
        }

        mutating func mayRepeat(sent: @autoclosure () -> Int) -> Bool {
            guard !isRepeatable else { return true }
            hasRefused = sent() > 0
            return !hasRefused
        }
    }
#endif
