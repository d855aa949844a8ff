#if os(Linux)
    import CCurl
    import Foundation

    /// A transfer that is used again and again, and the exchange that it serves at the moment.
    ///
    /// On the engine's thread only.
    ///
    /// libcurl's callbacks are given the slot, which outlives every exchange. They only copy and note; what the receiver
    /// sees leaves with the turn of the engine.
    ///
    /// SAFETY, for every mark in this file: libcurl calls the callbacks on the engine's thread, with the slot that was set
    /// as their context and that the loop keeps until its handle is gone, and with buffers of the size that it says.
    @safe
    final class CurlSlot {
        let easy: EasyHandle
        private(set) var exchange: CurlExchange?
        /// What has come since the last delivery.
        private(set) var events = TransportEvents()
        /// Told when there is something to deliver.
        private let touch: (CurlSlot) -> Void
        private(set) var isTouched = false

        private let settings: CurlSettings
        private let sockets: SocketSet
        private var head = HeadParser()
        private var reader: (any BodyReader)?
        private var readError: (any Error)?
        private var bytesSent: Int64 = 0
        /// The length of the content that was declared, if it was.
        private var length: Int64?
        private var unconsumed = 0
        private var isHeldBack = false
        private var hasHead = false
        private var mayBeFollowed = false
        /// libcurl decodes the content.
        private var isDecoding = false
        private var repetition: RepetitionCheck?
        /// The name of a server, or of a proxy, is being looked up.
        private(set) var isResolving = false
        /// Ends connecting where libcurl cannot.
        private var deadline: ConnectDeadline?

        init?(_ settings: CurlSettings, _ sockets: SocketSet, onTouch touch: @escaping (CurlSlot) -> Void) {
            guard let easy = EasyHandle() else { return nil }
            self.easy = easy
            self.settings = settings
            self.sockets = sockets
            self.touch = touch
            setConstants()
        }

        /// Makes the handle as new, where libcurl does not; false if there is no memory.
        func renew() -> Bool {
            if settings.library.hasReusableHandles { return true }
            guard easy.renew() else { return false }
            setConstants()
            return true
        }

        /// The slot that a transfer belongs to.
        static func serving(_ raw: UnsafeMutableRawPointer) -> CurlSlot? {
            var context: UnsafeMutableRawPointer?
            guard unsafe ccurl_easy_get_pointer(raw, Int32(CCURLINFO_PRIVATE), &context) == 0 else { return nil }
            return unsafe slot(context)
        }

        func begin(_ exchange: CurlExchange) throws {
            self.exchange = exchange
            events = TransportEvents()
            head = HeadParser()
            reader = nil
            readError = nil
            bytesSent = 0
            length = nil
            unconsumed = 0
            isHeldBack = false
            hasHead = false
            mayBeFollowed = false
            isDecoding = false
            repetition = RepetitionCheck(exchange.request)
            isTouched = false
            isResolving = false
            easy.clearError()
            try configure(exchange.request, exchange.url)
        }

        /// Leaves the exchange: whatever libcurl still says is not for anybody.
        func end() -> CurlExchange? {
            defer {
                exchange = nil
                reader = nil
                deadline = nil
            }
            return exchange
        }

        /// All that has come.
        func takeEvents() -> TransportEvents {
            isTouched = false
            defer { events = TransportEvents(bytesSent: bytesSent) }
            return events
        }

        /// What the receiver sees before the end: all that has come, or a sign of life if it wants the whole.
        func takeEventsInTime() -> TransportEvents {
            guard exchange?.request.delivery == .whole, !mayBeFollowed else { return takeEvents() }
            isTouched = false
            return TransportEvents(bytesSent: bytesSent)
        }

        /// Something came that the receiver wants to see before the end.
        private func noteEvents() {
            guard !isTouched else { return }
            isTouched = true
            touch(self)
        }

        /// The result code of going on, where there is something to go on with.
        func consumed(_ bytes: Int) -> Int32 {
            unconsumed = max(unconsumed - max(bytes, 0), 0)
            guard isHeldBack, case .chunks(let window?) = exchange?.request.delivery, unconsumed <= window / 2 else {
                return 0
            }
            isHeldBack = false
            return easy.resume()
        }

        func resumeSending() -> Int32 { easy.resume() }

        /// Whether a deadline that passes now finds it before its connection is made.
        var isConnecting: Bool { deadline?.hasConnected(easy) == false }

        /// A connection is being made: keeps the deadline for that where libcurl does not.
        private func watchConnecting() {
            guard deadline?.hasConnected(easy) != false, !settings.library.hasQuickExit, let exchange,
                let limit = exchange.request.connectTimeout
            else { return }
            deadline = ConnectDeadline(exchange, limit, easy)
        }

        func outcome(_ code: Int32) -> TransportOutcome {
            var error: URLError?
            if code != 0, let url = exchange?.request.url {
                error = failure(code, url)
            } else if !hasHead {
                // Not every libcurl minds.
                error = URLError(.networkConnectionLost, "the connection was closed within the head of the answer")
            }
            return TransportOutcome(error: error, trailers: head.trailers, metrics: metrics)
        }

        private func failure(_ code: Int32, _ url: URL) -> URLError {
            if repetition?.hasRefused == true, let request = exchange?.request { return .notRepeated(request) }
            if hasHead, isDecoding, [CCURLE_WRITE_ERROR, CCURLE_BAD_CONTENT_ENCODING].contains(Int(code)) {
                return URLError(
                    .cannotDecodeContentData,
                    "the content of the response is not what its Content-Encoding says, or has bytes behind its end; "
                        + "\"Accept-Encoding: identity\" asks for it as it is")
            }
            let text = readError.map { "the content of the request cannot be read: \($0.localizedDescription)" }
            let isRefused = easy.number(CCURLINFO_HTTP_CONNECTCODE) >= 300 && !hasHead
            return CurlLibrary.error(isRefused ? Int32(CCURLE_PROXY) : code, text ?? easy.error, url)
        }

        private var metrics: TransportMetrics {
            var metrics = TransportMetrics()
            metrics.nameLookup = easy.time(CCURLINFO_NAMELOOKUP_TIME_T)
            metrics.connect = easy.time(CCURLINFO_CONNECT_TIME_T)
            metrics.secureConnect = easy.time(CCURLINFO_APPCONNECT_TIME_T)
            metrics.firstByte = easy.time(CCURLINFO_STARTTRANSFER_TIME_T)
            metrics.total = easy.time(CCURLINFO_TOTAL_TIME_T)
            metrics.version = hasHead ? head.version : nil
            metrics.isReusedConnection = easy.number(CCURLINFO_NUM_CONNECTS) == 0
            return metrics
        }
    }

    // MARK: Options

    extension CurlSlot {
        private func setConstants() {
            let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            for option in [
                CCURLOPT_PRIVATE, CCURLOPT_WRITEDATA, CCURLOPT_HEADERDATA, CCURLOPT_READDATA, CCURLOPT_SEEKDATA,
            ] { unsafe easy.set(option, pointer: context) }
            unsafe easy.set(CCURLOPT_WRITEFUNCTION) { buffer, size, count, context in
                unsafe CurlSlot.slot(context)?.received(buffer, size * count) ?? 0
            }
            unsafe easy.set(CCURLOPT_HEADERFUNCTION) { buffer, size, count, context in
                unsafe CurlSlot.slot(context)?.receivedHeader(buffer, size * count) ?? 0
            }
            unsafe easy.set(CCURLOPT_READFUNCTION) { buffer, size, count, context in
                unsafe CurlSlot.slot(context)?.send(buffer, size * count) ?? Int(CCURL_READFUNC_ABORT)
            }
            unsafe _ = ccurl_easy_set_seek_callback(easy.raw) { context, offset, origin in
                let isDone = unsafe CurlSlot.slot(context)?.rewind(to: offset, from: origin) ?? false
                return Int32(isDone ? CCURL_SEEKFUNC_OK : CCURL_SEEKFUNC_FAIL)
            }
            _ = settings.apply(to: easy)
            unsafe _ = ccurl_easy_set_open_callback(
                easy.raw, { context, _, address in unsafe CurlSlot.slot(context)?.open(address) ?? -1 },
                UnsafeMutableRawPointer(mutating: context))
            unsafe _ = ccurl_easy_set_lookup_callback(
                easy.raw, { _, _, context in unsafe CurlSlot.slot(context)?.lookUp() == true ? 0 : 1 },
                UnsafeMutableRawPointer(mutating: context))
            unsafe _ = ccurl_easy_set_request_callback(
                easy.raw,
                { context, _, _, _, _ in
                    let maySend = unsafe CurlSlot.slot(context)?.maySend == true
                    return Int32(maySend ? CCURL_PREREQFUNC_OK : CCURL_PREREQFUNC_ABORT)
                }, UnsafeMutableRawPointer(mutating: context))
            // A connection outlives the transfers on it: it is closed by the set, which outlives all.
            unsafe _ = ccurl_easy_set_close_callback(
                easy.raw,
                { context, socket in
                    unsafe context.map { unsafe Unmanaged<SocketSet>.fromOpaque($0).takeUnretainedValue() }?
                        .shut(socket)
                    return 0
                }, Unmanaged.passUnretained(sockets).toOpaque())
        }

        private func configure(_ request: TransportRequest, _ url: String) throws {
            easy.set(CCURLOPT_URL, url)
            guard settings.trust.pin(easy, for: request.url.host(percentEncoded: false) ?? "") else {
                throw URLError(.secureConnectionFailed, "libcurl does not take the pins of this host")
            }
            // A server without TLS that says HTTP/2 in its answers lies: libcurl would send it several requests at a time on
            // one connection, and take the answers for each other's.
            let isSecure = request.url.scheme?.lowercased() == "https"
            let mayMultiplex = settings.library.hasHTTP2 && isSecure
            easy.set(CCURLOPT_HTTP_VERSION, mayMultiplex ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
            // libcurl copies the names of the authorities' files for each request, also for one that needs none.
            if !isSecure, !settings.library.hasReusableHandles {
                for option in [CCURLOPT_CAINFO, CCURLOPT_CAPATH] { easy.set(option, nil) }
            }
            // This takes back what the last request said about method and upload.
            easy.set(CCURLOPT_HTTPGET, 1)
            easy.set(CCURLOPT_CUSTOMREQUEST, request.method == .get ? nil : request.method.rawValue)
            var lines = request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
            if request.method == .head {
                easy.set(CCURLOPT_CUSTOMREQUEST, nil)
                easy.set(CCURLOPT_NOBODY, 1)
            } else if request.hasContent {
                easy.set(CCURLOPT_UPLOAD, 1)
                length = try request.body.length()
                easy.set(CCURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
                easy.set(CCURLOPT_CUSTOMREQUEST, request.method.rawValue)
                reader = try open(request.body)
                // libcurl does not ask for nothing.
                if length == 0 { _ = try reader?.read(upTo: 1) }
                // No asking for permission: it costs a round trip, and a second where the server does not answer.
                if request.headers["Expect"] == nil { lines.append("Expect:") }
            }
            easy.set(headerLines: lines)
            // A range of compressed content could not be decompressed.
            let isOwnEncoding = request.headers["Accept-Encoding"] != nil || request.headers["Range"] != nil
            easy.set(CCURLOPT_ACCEPT_ENCODING, isOwnEncoding ? nil : "")
            easy.set(CCURLOPT_HTTP_CONTENT_DECODING, 1)
            isDecoding = !isOwnEncoding
            easy.set(CCURLOPT_BUFFERSIZE, request.delivery.bufferSize)
            // Where a look-up cannot be left alone, libcurl would wait for it when the time is up, and everybody with it.
            let connectTimeout = settings.library.hasQuickExit ? request.connectTimeout : nil
            let milliseconds = connectTimeout.map { max($0.nanoseconds / 1_000_000, 1) } ?? 0
            easy.set(CCURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, Int64(Int32.max))))
        }

        private func open(_ body: RequestBody) throws -> any BodyReader {
            let reader = try body.open { [weak exchange] in exchange?.resumeSending() }
            // Bytes have the length that they have.
            if case .data = body { return reader }
            return length.map { LengthCheckingReader(reader, of: body, length: $0) } ?? reader
        }
    }

    extension TransportRequest.Delivery {
        /// What is read at a time: much, where much may wait.
        fileprivate var bufferSize: Int {
            switch self {
            case .whole: 16 << 10
            case .chunks(let window): window.map { $0 < 256 << 10 } == true ? 16 << 10 : 64 << 10
            }
        }
    }

    // MARK: Callbacks

    extension CurlSlot {
        private static func slot(_ context: UnsafeMutableRawPointer?) -> CurlSlot? {
            unsafe context.map { unsafe Unmanaged<CurlSlot>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Whether a name may be looked up.
        private func lookUp() -> Bool {
            guard exchange != nil else { return false }
            isResolving = true
            watchConnecting()
            return true
        }

        private func open(_ address: UnsafeMutableRawPointer?) -> Int32 {
            isResolving = false
            // What was cancelled while its name was looked up may not connect.
            let sent = easy.number(CCURLINFO_REQUEST_SIZE)
            guard exchange != nil, repetition?.mayOpen(sent: sent) == true else { return -1 }
            watchConnecting()
            let socket = unsafe ccurl_open_socket(address)
            sockets.opened(socket)
            return socket
        }

        private func received(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard let exchange, let buffer = unsafe buffer, hasHead else { return 0 }
            switch exchange.request.delivery {
            case .whole:
                if events.chunks.isEmpty {
                    events.chunks = [unsafe Data(bytes: buffer, count: count)]
                } else {
                    unsafe events.chunks[0].append(
                        UnsafeRawPointer(buffer).assumingMemoryBound(to: UInt8.self), count: count)
                }
            case .chunks(let window):
                if let window, unconsumed >= max(window, 1) {
                    isHeldBack = true
                    return CCURL_WRITEFUNC_PAUSE
                }
                unconsumed += count
                events.chunks.append(unsafe Data(bytes: buffer, count: count))
            }
            noteEvents()
            return count
        }

        private func receivedHeader(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard exchange != nil, let buffer = unsafe buffer else { return 0 }
            let line = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
            switch unsafe self.head.add(line) {
            case .incomplete: break
            case .head(let head):
                events.head = head
                hasHead = true
                mayBeFollowed = head.mayBeFollowed
                if isDecoding { decode(head.headers["Content-Encoding"]) }
                noteEvents()
            case .malformed: return 0
            }
            return count
        }

        private func send(_ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard exchange != nil, let buffer = unsafe buffer, reader != nil else { return CCURL_READFUNC_ABORT }
            do {
                switch try reader?.read(upTo: count) ?? .end {
                case .data(let data):
                    guard data.count <= count else {
                        throw URLError(.requestBodyStreamExhausted, "a reader gave more than it was asked for")
                    }
                    unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(start: buffer, count: count))
                    bytesSent += Int64(data.count)
                    events.bytesSent = bytesSent
                    noteEvents()
                    return data.count
                case .pending: return CCURL_READFUNC_PAUSE
                case .end: return 0
                }
            } catch {
                readError = error
                return CCURL_READFUNC_ABORT
            }
        }

        /// Leaves content as it came if libcurl before 8.6 cannot decode one of its codings: it would fail.
        private func decode(_ codings: String?) {
            let codings = codings?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } ?? []
            isDecoding = !codings.isEmpty && settings.contentCodings.isSuperset(of: codings)
            if !isDecoding, !codings.isEmpty { easy.set(CCURLOPT_HTTP_CONTENT_DECODING, 0) }
        }

        /// Whether the request may be sent now.
        private var maySend: Bool {
            exchange != nil && repetition?.maySend(sent: easy.number(CCURLINFO_REQUEST_SIZE)) == true
        }

        /// libcurl sends the content again when a connection that it used again turns out to be dead.
        private func rewind(to offset: Int64, from origin: Int32) -> Bool {
            guard let exchange, offset == 0, origin == SEEK_SET,
                repetition?.mayRewind(sent: easy.number(CCURLINFO_REQUEST_SIZE)) == true
            else { return false }
            bytesSent = 0
            do {
                reader = try open(exchange.request.body)
                return true
            } catch {
                readError = error
                return false
            }
        }
    }
#endif
