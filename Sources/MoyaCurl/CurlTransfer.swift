#if os(Linux)
    import CMoyaCurl
    import Foundation

    /// A libcurl transfer, and the exchange that it currently performs.
    ///
    /// A transfer is used on the thread of its event loop only, and is reused for many exchanges. The callbacks of
    /// libcurl only store events. The event loop delivers the stored events after libcurl has returned.
    ///
    /// SAFETY, for every `unsafe` in this file: the transfer is the context of libcurl's callbacks. The event loop
    /// retains the transfer as long as the transfer's handle is in use.
    @safe
    final class CurlTransfer: CallbackContext {
        /// The progress of the exchange.
        enum Phase {
            case idle
            /// libcurl has reported no progress yet. It may be reusing a connection, or waiting for one.
            case started
            case resolving
            /// A socket was opened. The phase includes the tunnel through a proxy and the TLS handshake.
            case connecting
            /// The request is being sent, or was sent. Not reported by all versions of libcurl.
            case awaitingResponse
            case receiving
        }

        let easy: EasyHandle
        let settings: CurlSettings
        let sockets: SocketSet
        private(set) var exchange: CurlExchange?
        /// How long the exchange waited for a connection and for its event loop.
        private(set) var queued = Duration.zero
        var phase = Phase.idle
        var events = TransportEvents()
        private(set) var hasEvents = false
        /// Called for the first event after a delivery, so that the event loop schedules the next delivery.
        private let onFirstEvent: (CurlTransfer) -> Void

        var upload = CurlUpload()
        var response = CurlResponseReceiver()
        /// Whether a new connection was permitted since the request was last sent.
        var hasNewConnection = false
        var hasRefusedRepetition = false
        /// The bytes that were sent, on an earlier connection, before the current one was opened.
        var sentBeforeConnecting = 0
        private var isSentAgain = false
        /// Whether the reused connection has received bytes before the request was sent.
        var mustReconnect = false
        /// The number of bytes that were decoded since events were last taken.
        var undelivered = 0
        /// Whether libcurl has read the whole response, whose length may not be known, and awaits content to send.
        private var hasStoppedReading = false
        /// Whether the connection is closed before the response is complete, while libcurl awaits content to send.
        private var hasLostConnection = false
        private var hasStoppedSending = false
        private var isSendingWatched = false
        /// The socket that libcurl watches for the exchange, -1 if it does not any more, `nil` if it never has.
        private(set) var watchedSocket: Int32?
        /// Whether the server has refused the field `Expect` (RFC 9110, section 10.1.1).
        private(set) var mustOmitExpectation = false
        // The deadline for connecting of libcurl before 7.87, which blocks the thread until the name is resolved if its
        // own deadline expires.
        private var deadline: (any Cancellable)?
        // libcurl's pre-transfer time when `deadline` was set; a later change means that the exchange has connected.
        // Has a value only if libcurl first tried to reuse a closed connection.
        private var pretransferTimeAtStart: Duration?

        init?(_ settings: CurlSettings, _ sockets: SocketSet, onFirstEvent: @escaping (CurlTransfer) -> Void) {
            guard let easy = EasyHandle() else { return nil }
            self.easy = easy
            self.settings = settings
            self.sockets = sockets
            self.onFirstEvent = onFirstEvent
            setConstantOptions()
        }

        /// Replaces the handle if libcurl cannot reuse it; returns `false` if there is no memory.
        func renew() -> Bool {
            // libcurl keeps the results of an earlier verification.
            let isVerified =
                easy.number(CCURLINFO_SSL_VERIFYRESULT) == 0 && easy.number(CCURLINFO_PROXY_SSL_VERIFYRESULT) == 0
            if settings.library.hasReusableHandles, isVerified { return true }
            guard easy.renew() else { return false }
            setConstantOptions()
            return true
        }

        static func owner(of easy: UnsafeMutableRawPointer) -> CurlTransfer? {
            var context: UnsafeMutableRawPointer?
            guard unsafe ccurl_easy_get(easy, Int32(CCURLINFO_PRIVATE), &context) == 0 else { return nil }
            return unsafe from(context)
        }
    }

    extension CurlTransfer {
        func begin(_ exchange: CurlExchange) throws {
            self.exchange = exchange
            queued = MonotonicTime.now - exchange.created
            events = TransportEvents()
            hasEvents = false
            upload = CurlUpload()
            response = CurlResponseReceiver(exchange.request)
            (hasNewConnection, hasRefusedRepetition) = (false, false)
            easy.clearError()
            sentBeforeConnecting = 0
            (hasStoppedReading, hasLostConnection, watchedSocket) = (false, false, nil)
            (hasStoppedSending, isSendingWatched, mustReconnect, undelivered) = (false, false, false, 0)
            phase = .started
            try configure(exchange)
        }

        /// Whether a request that was not sent completely on a reused connection may be sent once more.
        func maySendAgain(after code: Int32) -> Bool {
            if mustOmitExpectation || mustReconnect { return !isSentAgain }
            let isLost = [CCURLE_SEND_ERROR, CCURLE_RECV_ERROR, CCURLE_GOT_NOTHING, CCURLE_HTTP2].contains(Int(code))
            return isLost && !isSentAgain && response.head == nil
                && easy.number(CCURLINFO_NUM_CONNECTS) == 0 && exchange?.request.isRepeatable == true
        }

        // Whether to drop this head and send the request again without `Expect`. libcurl would do so itself, but with
        // the field, and within this response.
        func refusesExpectation(_ head: ResponseHead) -> Bool {
            mustOmitExpectation = head.statusCode == 417 && !isSentAgain && exchange?.request.headers["Expect"] != nil
            return mustOmitExpectation
        }

        /// Begins the exchange again, on a new connection; the handle is not in use.
        func beginAgain(_ exchange: CurlExchange) throws {
            guard renew() else { throw URLError.outOfMemory(exchange.request) }
            isSentAgain = true
            try begin(exchange)
            easy.set(CCURLOPT_FRESH_CONNECT, 1)
        }

        /// Detaches and returns the exchange, so that later callbacks of libcurl have no effect.
        func end() -> CurlExchange? {
            defer {
                exchange = nil
                upload = CurlUpload()
                isSentAgain = false
                mustOmitExpectation = false
                response = CurlResponseReceiver()
                phase = .idle
                deadline.take()?.cancel()
            }
            return exchange
        }

        /// Before the end of a response that is delivered as a whole, only the number of bytes sent.
        func takeEvents(isEnd: Bool) -> TransportEvents {
            hasEvents = false
            if CurlResponseReceiver.isDue(undelivered), !isEnd { exchange?.acknowledge(0) }
            undelivered = 0
            let progress = TransportEvents(bytesSent: upload.bytesSent)
            if !isEnd, exchange?.request.delivery == .whole, response.head?.isDeliveredOnArrival != true {
                return progress
            }
            return Swift.exchange(&events, with: progress)
        }

        func markEvents() {
            guard !hasEvents else { return }
            hasEvents = true
            onFirstEvent(self)
        }

        /// Whether the response is complete while more content of the request is awaited: libcurl would not finish.
        var isResponseAheadOfContent: Bool {
            upload.isPending && (response.isComplete || hasStoppedReading) || hasStoppedSending
        }

        /// The result of an exchange that libcurl would not finish; `nil` if it may.
        var endAheadOfContent: Int32? {
            if hasLostConnection { return Int32(response.head == nil ? CCURLE_GOT_NOTHING : CCURLE_RECV_ERROR) }
            return isResponseAheadOfContent ? 0 : nil
        }

        // After a complete response over HTTP/2, libcurl may send no more of the content, and not finish either. Checks
        // each second, because other versions send the rest, which the server may still want.
        func watchSending(since sent: Int64? = nil) {
            guard upload.isUnsent, sent != nil || !isSendingWatched, response.isComplete,
                response.head?.version == "HTTP/2", let exchange
            else { return }
            isSendingWatched = true
            let bytes = upload.bytesSent
            if bytes == sent {
                hasStoppedSending = true
                return markEvents()
            }
            DispatchScheduler.deliveries.schedule(after: .seconds(1)) { [weak exchange] in
                if let exchange { exchange.send(.checkSending(exchange, since: bytes)) }
            }
        }

        /// libcurl watches a socket, or does not any more.
        func watches(_ socket: Int32, _ isWatched: Bool) {
            watchedSocket = isWatched ? socket : watchedSocket == socket ? -1 : watchedSocket
            if !isWatched { noteEndOfReading(from: socket) }
        }

        /// Called after libcurl has returned: on a connection that was used before, it may watch no socket at all.
        func noteEndOfReadingUnwatched() {
            guard watchedSocket == nil, upload.isPending, response.head?.version != "HTTP/2",
                let socket = sockets.socket(boundTo: easy.number(CCURLINFO_LOCAL_PORT))
            else { return }
            noteEndOfReading(from: socket)
        }

        // libcurl stops watching a socket before the end of an exchange only if it is paused, or if the response is
        // complete. It does not for HTTP/2, nor if a server closes the connection directly after the last chunk.
        private func noteEndOfReading(from socket: Int32) {
            guard upload.isPending, !response.isPaused else { return }
            var byte: UInt8 = 0
            let isClosed = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
            if response.hasUnknownLength {
                // Chunks may have been cut short if the server has closed the connection.
                hasStoppedReading = !isClosed || !response.isChunked
            } else {
                hasLostConnection = isClosed && !response.isComplete
            }
            if hasStoppedReading || hasLostConnection { markEvents() }
        }

        /// Resumes a paused transfer at half of its window or less; returns libcurl's result code, or 0 if not resumed.
        func acknowledge(_ bytes: Int) -> Int32 { response.acknowledge(bytes) ? easy.resume() : 0 }

        /// Whether a deadline for connecting runs and no connection is established yet.
        var isConnecting: Bool {
            deadline != nil && easy.time(CCURLINFO_PRETRANSFER_TIME_T) == pretransferTimeAtStart
        }

        func startConnectDeadline() {
            guard !settings.library.hasQuickExit, !isConnecting, let exchange,
                let limit = exchange.request.connectTimeout
            else { return }
            deadline?.cancel()
            pretransferTimeAtStart = easy.time(CCURLINFO_PRETRANSFER_TIME_T)
            deadline = DispatchScheduler.deliveries.schedule(after: limit) { [weak exchange] in
                if let exchange { exchange.send(.connectTimedOut(exchange)) }
            }
        }

        func outcome(_ code: Int32) -> TransportOutcome {
            let error = exchange.flatMap { failure(code, $0.request) }
            return TransportOutcome(error: error, trailers: response.trailers, metrics: metrics)
        }

        private var metrics: TransportMetrics {
            var metrics = TransportMetrics()
            metrics.queued = queued
            let requestSize = Int64(easy.number(CCURLINFO_REQUEST_SIZE))
            let isConnected = response.head != nil || requestSize > 0
            let isReused = isConnected && easy.number(CCURLINFO_NUM_CONNECTS) == 0
            metrics.isReusedConnection = isConnected ? isReused : nil
            // A reused connection has no times of connecting.
            if !isReused {
                metrics.nameLookup = easy.time(CCURLINFO_NAMELOOKUP_TIME_T)
                metrics.connect = easy.time(CCURLINFO_CONNECT_TIME_T)
                metrics.secureConnect = easy.time(CCURLINFO_APPCONNECT_TIME_T)
            }
            // An estimate, for libcurl versions that do not report the time; there is none for a request with content.
            let estimate = exchange?.request.hasContent == false ? easy.time(CCURLINFO_PRETRANSFER_TIME_T) : nil
            metrics.requestSent = easy.time(CCURLINFO_POSTTRANSFER_TIME_T) ?? estimate
            metrics.firstByte = easy.time(CCURLINFO_STARTTRANSFER_TIME_T)
            metrics.total = easy.time(CCURLINFO_TOTAL_TIME_T)
            metrics.version = response.head?.version
            let contentSize = settings.library.countsContentOfRequests ? 0 : easy.size(CCURLINFO_SIZE_UPLOAD_T)
            metrics.bytesSent = requestSize + contentSize
            metrics.bytesReceived = Int64(easy.number(CCURLINFO_HEADER_SIZE)) + easy.size(CCURLINFO_SIZE_DOWNLOAD_T)
            metrics.remoteAddress = easy.text(CCURLINFO_PRIMARY_IP)
            metrics.remotePort = metrics.remoteAddress.map { _ in easy.number(CCURLINFO_PRIMARY_PORT) }
            return metrics
        }
    }
#endif
