#if os(Linux)
    /// Decides whether libcurl may send a request again on another connection (RFC 9110, section 9.2.2).
    ///
    /// Without this check, libcurl repeats every request whose reused connection turns out to be closed.
    struct RepetitionCheck {
        /// Whether the request may be repeated even if a part of it was sent.
        private let isRepeatable: Bool
        /// Whether a socket was opened for the next attempt to send the request.
        private var hasOpened = false
        /// Whether this check has refused to let libcurl send the request again.
        ///
        /// The check refuses if the request is not repeatable and a part of the request was already sent.
        private(set) var hasRefused = false

        init(_ request: TransportRequest) {
            isRepeatable = request.isRepeatable
        }

        /// Returns whether a socket may be opened.
        ///
        /// - Parameter sent: the number of bytes that libcurl has sent in this transfer.
        mutating func mayOpen(sent: @autoclosure () -> Int) -> Bool {
            hasOpened = mayProceed(sent())
            return hasOpened
        }

        /// Returns whether the request may be sent.
        ///
        /// If a socket was opened for this attempt, ``mayOpen(sent:)`` has already allowed the attempt. Bytes that
        /// libcurl has sent since then went to a proxy and do not count.
        mutating func maySend(sent: @autoclosure () -> Int) -> Bool {
            defer { hasOpened = false }
            return hasOpened || mayProceed(sent())
        }

        /// Returns whether the content may be sent again from its start after a part of it was read.
        mutating func mayRewind(sent: @autoclosure () -> Int) -> Bool { mayProceed(sent()) }

        private mutating func mayProceed(_ sent: @autoclosure () -> Int) -> Bool {
            guard !isRepeatable else { return true }
            hasRefused = sent() > 0
            return !hasRefused
        }
    }
#endif
