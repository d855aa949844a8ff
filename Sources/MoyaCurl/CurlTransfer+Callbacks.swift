#if os(Linux)
    import CMoyaCurl
    import Foundation

    // SAFETY, for every `unsafe` in this file: libcurl calls the callbacks on the thread of the event loop, with the
    // contexts that this file sets. The transfer is retained until its handle has been removed; the socket set
    // outlives all connections. Buffers have the size that libcurl passes.
    extension CurlTransfer {
        func setConstantOptions() {
            _ = settings.apply(to: easy)
            let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            for option in [
                CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
                CCURLOPT_OPENSOCKETDATA, CCURLOPT_RESOLVER_START_DATA, CCURLOPT_PREREQDATA,
            ] { unsafe easy.set(option, pointer: context) }
            unsafe easy.set(CCURLOPT_WRITEFUNCTION) { buffer, size, count, context in
                unsafe CurlTransfer.from(context)?.received(buffer, size * count) ?? 0
            }
            unsafe easy.set(CCURLOPT_HEADERFUNCTION) { buffer, size, count, context in
                unsafe CurlTransfer.from(context)?.receivedHeader(buffer, size * count) ?? 0
            }
            unsafe easy.set(CCURLOPT_READFUNCTION) { buffer, size, count, context in
                unsafe CurlTransfer.from(context)?.send(buffer, size * count) ?? Int(CCURL_READFUNC_ABORT)
            }
            unsafe _ = ccurl_easy_set_seek_callback(easy.raw) { context, offset, origin in
                let isDone = unsafe CurlTransfer.from(context)?.rewind(to: offset, from: origin) ?? false
                return Int32(isDone ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
            }
            unsafe _ = ccurl_easy_set_open_callback(easy.raw) { context, _, address in
                unsafe CurlTransfer.from(context)?.open(address) ?? -1
            }
            unsafe _ = ccurl_easy_set_lookup_callback(easy.raw) { _, _, context in
                unsafe CurlTransfer.from(context)?.resolve() == true ? 0 : 1
            }
            unsafe _ = ccurl_easy_set_request_callback(easy.raw) { context, _, _, _, port in
                let isAllowed = unsafe CurlTransfer.from(context)?.willSendRequest(from: Int(port)) == true
                return Int32(isAllowed ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
            }
            easy.closeSockets(through: sockets)
        }

        /// Called before libcurl resolves a host name; returns `false` if the exchange has ended.
        private func resolve() -> Bool {
            guard exchange != nil else { return false }
            phase = .resolving
            startConnectDeadline()
            return true
        }

        /// Opens a socket; returns -1 if the exchange has ended, or if the request was sent and must not be sent again.
        private func open(_ address: UnsafeMutableRawPointer?) -> Int32 {
            hasNewConnection = maySend()
            guard hasNewConnection else { return -1 }
            phase = .connecting
            startConnectDeadline()
            sentBeforeConnecting = easy.number(CCURLINFO_REQUEST_SIZE)
            return unsafe easy.openSocket(address, in: sockets)
        }

        /// Called before libcurl sends the request; returns `false` if the request must not be sent.
        private func willSendRequest(from port: Int) -> Bool {
            // On a new connection, the bytes that were sent may be those of a proxy's tunnel.
            defer { hasNewConnection = false }
            guard exchange != nil, hasNewConnection || maySend() else { return false }
            // Bytes that no request has asked for are no response (RFC 9112, section 9.2). Some versions of libcurl
            // would take them for the response to this request, and each response for that to the next one.
            mustReconnect = !hasNewConnection && sockets.hasUnaskedBytes(boundTo: port)
            if mustReconnect { return false }
            // The time without bytes is counted from here if the request has waited for its connection.
            if phase != .started || queued > .milliseconds(1) { markEvents() }
            phase = .awaitingResponse
            return true
        }

        // Without this check, libcurl repeats every request whose reused connection turns out to be closed (RFC 9110,
        // section 9.2.2).
        private func maySend() -> Bool {
            guard let exchange else { return false }
            hasRefusedRepetition = !exchange.request.isRepeatable && easy.number(CCURLINFO_REQUEST_SIZE) > 0
            return !hasRefusedRepetition
        }

        private func receivedHeader(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard exchange != nil, let buffer = unsafe buffer else { return 0 }
            let line = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
            switch unsafe response.add(line) {
            case .incomplete: markEvents()
            case .head(let head) where refusesExpectation(head): return 0
            case .head(let head):
                events.head = head
                phase = .receiving
                if head.version == "HTTP/2" { sockets.noteMultiplexing(boundTo: easy.number(CCURLINFO_LOCAL_PORT)) }
                // Over HTTP/1.1, libcurl would not send the content, and reuse the connection: the server would read
                // the next request as the content.
                if exchange?.request.headers["Expect"] != nil, upload.isUnsent, upload.bytesSent == 0,
                    head.version != "HTTP/2"
                {
                    easy.set(CCURLOPT_FORBID_REUSE, 1)
                }
                markEvents()
            case .malformed: return 0
            }
            return count
        }

        private func received(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard exchange != nil, let buffer = unsafe buffer, response.head != nil else { return 0 }
            guard response.admit() else { return CCURL_WRITEFUNC_PAUSE }
            let content = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
            // Any other result than `count` ends the transfer with CURLE_WRITE_ERROR.
            let result = response.isDecoding ? unsafe decode(content) : unsafe deliver(content) ? count : 0
            if result == count { response.received(count) }
            return result
        }

        // Decodes until the window is full, or the content is long enough to be delivered: then libcurl is paused, and
        // later passes the same bytes again, of which `response.decodedBytes` are skipped. The content may exceed the
        // window by one buffer of a decoder.
        private func decode(_ content: UnsafeRawBufferPointer) -> Int {
            guard let decoders = response.contentDecoders(), let last = decoders.last else { return 0 }
            guard response.decodedBytes <= content.count else {
                response.decodedBytes -= content.count
                return content.count
            }
            while true {
                if unsafe !last.output.isEmpty {
                    guard response.admit(undelivered: undelivered) else { return CCURL_WRITEFUNC_PAUSE }
                    undelivered += unsafe last.output.count
                    guard unsafe deliver(last.output) else { return 0 }
                    unsafe last.take(last.output.count)
                }
                // The last decoder that has input or more output; otherwise the first one.
                let index =
                    decoders.indices.dropFirst().last { index in
                        unsafe decoders[index].hasMore || !decoders[index - 1].output.isEmpty
                    } ?? 0
                let rest = unsafe UnsafeRawBufferPointer(rebasing: content[response.decodedBytes...])
                if unsafe index == 0 && rest.isEmpty && !decoders[0].hasMore { break }
                guard let read = unsafe decoders[index].run(index == 0 ? rest : decoders[index - 1].output) else {
                    return 0
                }
                if index == 0 { response.decodedBytes += read } else { decoders[index - 1].take(read) }
            }
            response.decodedBytes = 0
            return content.count
        }

        /// Adds decoded content to the events; returns `false` to end the transfer.
        private func deliver(_ content: UnsafeRawBufferPointer) -> Bool {
            guard let exchange, let start = content.baseAddress else { return false }
            guard response.count(content.count) else {
                events.chunks = []
                return false
            }
            if exchange.request.delivery == .whole, !events.chunks.isEmpty {
                unsafe events.chunks[0].append(start.assumingMemoryBound(to: UInt8.self), count: content.count)
            } else {
                events.chunks.append(unsafe Data(bytes: start, count: content.count))
            }
            markEvents()
            return true
        }

        private func send(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard let exchange, let buffer = unsafe buffer else { return CCURL_READFUNC_ABORT }
            // The server may refuse the content between two records of TLS, which have up to 16 KiB each.
            let result = upload.read(upTo: exchange.request.url.isSecure ? min(count, 16 << 10) : count)
            if isResponseAheadOfContent || upload.isPending && watchedSocket == nil { markEvents() }
            switch result {
            case .data(let data)
            where response.head == nil && SocketSet.hasUnreadBytes(watchedSocket ?? -1) && upload.hold(data):
                // A server may refuse content and close the connection: the response is lost if sending fails first.
                exchange.resumeSending()
                return CCURL_READFUNC_PAUSE
            case .data(let data):
                unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(start: buffer, count: count))
                events.bytesSent = upload.bytesSent
                markEvents()
                return data.count
            case .pending: return CCURL_READFUNC_PAUSE
            case .end: return 0
            case nil: return CCURL_READFUNC_ABORT
            }
        }

        /// libcurl calls this before it sends the request again because a reused connection was closed.
        private func rewind(to offset: Int64, from origin: Int32) -> Bool {
            guard let exchange, offset == 0, origin == SEEK_SET, maySend() else { return false }
            return upload.rewind(exchange.request.body) { [weak exchange] in exchange?.resumeSending() }
        }
    }
#endif
