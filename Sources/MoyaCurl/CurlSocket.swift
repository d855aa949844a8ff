#if os(Linux)
    import CMoyaCurl
    import Foundation

    /// A connection that libcurl has made, and then only moves bytes; used on the thread of its event loop only.
    ///
    /// SAFETY, for every `unsafe` in this file: the handle is in use as long as this object exists. Buffers have the
    /// passed size. The callbacks receive this object, or the socket set, which outlives all handles.
    @safe
    final class CurlSocket: CallbackContext {
        let easy: EasyHandle
        let connection: CurlConnection
        /// The descriptor; `nil` until the connection is made.
        private(set) var descriptor: Int32?
        private let settings: CurlSettings
        private let sockets: SocketSet
        // libcurl must be called again with the same address and length after CURLE_AGAIN, so this array is not changed
        // until all of it was sent.
        private var outgoing = ContiguousArray<UInt8>()
        private var position = 0
        private var sent: Int64 = 0
        private var unacknowledged = 0
        // Why nothing more can be sent. What the server sent before, such as its close frame, is still read.
        private var failure: ConnectionEvent?

        init?(_ connection: CurlConnection, _ settings: CurlSettings, _ sockets: SocketSet) {
            guard let easy = EasyHandle() else { return nil }
            self.easy = easy
            self.connection = connection
            self.settings = settings
            self.sockets = sockets
        }

        /// Sets the options; returns `false` if libcurl does not accept the trust policy.
        func configure() -> Bool {
            let url = connection.request.url
            let host = url.host(percentEncoded: false) ?? ""
            let isAccepted = settings.apply(to: easy) && settings.trust.pin(easy, for: host)
            easy.set(CCURLOPT_URL, url.absoluteString)
            easy.set(CCURLOPT_CONNECT_ONLY, 1)
            easy.set(CCURLOPT_HTTPPROXYTUNNEL, 1)
            easy.set(CCURLOPT_FRESH_CONNECT, 1)
            easy.set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
            easy.set(connectTimeout: connection.request.connectTimeout)
            unsafe easy.set(CCURLOPT_OPENSOCKETDATA, pointer: Unmanaged.passUnretained(self).toOpaque())
            unsafe _ = ccurl_easy_set_open_callback(easy.raw) { context, _, address in
                guard let owner = unsafe CurlSocket.from(context) else { return -1 }
                return unsafe owner.easy.openSocket(address, in: owner.sockets)
            }
            easy.closeSockets(through: sockets)
            return isAccepted
        }

        /// Takes over the connection that libcurl has made; returns `nil` if it is gone already.
        func open() -> Int32? {
            var socket: Int32 = -1
            unsafe _ = ccurl_easy_get(easy.raw, Int32(CCURLINFO_ACTIVESOCKET), &socket)
            if socket >= 0 { descriptor = socket }
            return descriptor
        }

        func stop() {
            guard let descriptor else { return }
            sockets.unwatch(descriptor)
            // Before 7.85, removing the handle does not close the socket.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }

        /// Returns whether the socket had stopped reading and may read again.
        func acknowledge(_ bytes: Int) -> Bool {
            let hadStopped = unacknowledged >= connection.window
            unacknowledged = max(unacknowledged - max(bytes, 0), 0)
            return hadStopped && unacknowledged < connection.window
        }

        /// Sends and receives what is possible without blocking; returns the last event if the connection has ended.
        func advance(reading: Bool, _ buffer: inout [UInt8]) -> ConnectionEvent? {
            guard let descriptor else { return nil }
            let isBlocked = failure == nil && flush()
            if reading || failure != nil, let end = read(&buffer) { return end }
            let isReading = unacknowledged < connection.window
            if isReading, let failure { return failure }
            if isReading || isBlocked {
                sockets.watch(descriptor, reading: isReading, writing: isBlocked)
            } else {
                sockets.unwatch(descriptor)
            }
            return nil
        }

        /// Returns whether the socket takes no more bytes now.
        private func flush() -> Bool {
            let before = sent
            defer { if sent != before { connection.receive(.sent(sent)) } }
            while true {
                if position == outgoing.count {
                    connection.takeUnsent(into: &outgoing)
                    position = 0
                    if outgoing.isEmpty { return false }
                }
                var count = 0
                let code = unsafe outgoing.withUnsafeBytes { bytes in
                    unsafe ccurl_easy_send(
                        easy.raw, bytes.baseAddress?.advanced(by: position), bytes.count - position, &count)
                }
                guard code == 0 else {
                    if Int(code) == CCURLE_AGAIN { return true }
                    failure = lost(code)
                    return false
                }
                position += count
                sent += Int64(count)
            }
        }

        private func read(_ buffer: inout [UInt8]) -> ConnectionEvent? {
            while unacknowledged < connection.window {
                var count = 0
                var received = Data()
                let code = unsafe buffer.withUnsafeMutableBytes { bytes in
                    let code = unsafe ccurl_easy_recv(easy.raw, bytes.baseAddress, bytes.count, &count)
                    if let start = bytes.baseAddress, code == 0 { unsafe received = Data(bytes: start, count: count) }
                    return code
                }
                guard Int(code) != CCURLE_AGAIN else { break }
                guard code == 0 else { return lost(code) }
                guard count > 0 else { return .ended(nil) }
                unacknowledged += count
                connection.receive(.received(received))
            }
            return nil
        }

        private func lost(_ code: Int32) -> ConnectionEvent {
            let refusal = settings.refusal(
                Int(code), of: easy, at: connection.request.url, isAtProxy: false, hasHead: false)
            return .ended(refusal ?? URLError(.networkConnectionLost, "the connection was lost: \(easy.error)"))
        }

        func failure(_ code: Int32) -> URLError {
            let url = connection.request.url
            let isAtProxy = settings.mayUseTunnel && easy.hasFailedAtProxy()
            return settings.failure(
                Int(code), of: easy, at: url, in: easy.isInHandshake(with: url) ? .tlsHandshake : .connecting,
                isAtProxy: isAtProxy, hasHead: false)
        }
    }
#endif
