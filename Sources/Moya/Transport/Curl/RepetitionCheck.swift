#if os(Linux)
    /// Decides whether libcurl may send a request again on another connection (RFC 9110, section 9.2.2).
    ///
    /// libcurl repeats whatever it has sent on a connection that it used again and that turned out to be dead.
    struct RepetitionCheck {
        /// The request may be repeated, whatever has happened.
        private let isRepeatable: Bool
        /// The bytes of requests that libcurl had counted before the request was sent first.
        private var sentBefore: Int?
        /// A socket was opened for the request that is about to be sent.
        private var hasOpened = false
        /// The request was sent, at least in part, on a connection that was lost, and is not sent again.
        private(set) var hasRefused = false

        init(_ request: TransportRequest) {
            isRepeatable = request.isRepeatable
        }

        /// Whether a socket may be opened.
        ///
        /// - Parameter sent: the bytes of requests that libcurl counts now.
        mutating func mayOpen(sent: @autoclosure () -> Int) -> Bool {
            hasOpened = mayProceed(sent())
            return hasOpened
        }

        /// Whether the request may be sent.
        ///
        /// A socket that was opened for it was asked about before: since then, bytes may have gone to a proxy.
        mutating func maySend(sent: @autoclosure () -> Int) -> Bool {
            defer { hasOpened = false }
            return hasOpened || mayProceed(sent())
        }

        /// Whether content of which a part was read may be sent from its start.
        mutating func mayRewind(sent: @autoclosure () -> Int) -> Bool { mayProceed(sent()) }

        private mutating func mayProceed(_ sent: @autoclosure () -> Int) -> Bool {
            guard !isRepeatable else { return true }
            let sent = sent()
            hasRefused = sent > sentBefore ?? sent
            sentBefore = sentBefore ?? sent
            return !hasRefused
        }
    }
#endif
