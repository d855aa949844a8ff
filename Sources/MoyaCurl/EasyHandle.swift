#if os(Linux)
    import CMoyaCurl
    import Foundation

    /// A libcurl easy handle, which is used on one thread only.
    ///
    /// SAFETY, for every `unsafe` in this file: `raw` is valid from `init` to `deinit`, and `ccurl_load` has succeeded
    /// before the first handle is created.
    @safe
    final class EasyHandle {
        private(set) var raw: UnsafeMutableRawPointer
        /// The buffer that libcurl writes the reason of a failure to; it must exist as long as the handle.
        private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CCURL_ERROR_SIZE))
        /// The list of header lines; libcurl does not copy the list, so this object owns it.
        private var headerLines: UnsafeMutableRawPointer?
        private var proxyLines: UnsafeMutableRawPointer?
        /// The fields that the lines were created from.
        private var headerFields: [HTTPHeaders.Field]?
        /// Why no socket could be opened for the current exchange; `nil` if the last one was opened.
        private(set) var socketError: POSIXErrorCode?

        init?() {
            guard let raw = unsafe ccurl_easy_init() else { return nil }
            unsafe self.raw = raw
            unsafe errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
            unsafe set(CCURLOPT_ERRORBUFFER, pointer: errorText)
        }

        deinit {
            unsafe ccurl_easy_cleanup(raw)
            unsafe ccurl_slist_free_all(headerLines)
            unsafe ccurl_slist_free_all(proxyLines)
            unsafe errorText.deallocate()
        }

        /// Replaces `raw` with a new handle, whose options have their defaults; returns `false` if there is no memory.
        func renew() -> Bool {
            guard let new = unsafe ccurl_easy_init() else { return false }
            unsafe ccurl_easy_cleanup(raw)
            unsafe raw = new
            unsafe set(CCURLOPT_ERRORBUFFER, pointer: errorText)
            return true
        }

        func set(_ option: Int, offset value: Int64) {
            unsafe _ = ccurl_easy_set_offset(raw, Int32(option), value)
        }

        /// Sets an option, or resets it; returns `false` if libcurl or its TLS library does not support the option.
        @discardableResult
        func set(_ option: Int, _ value: String?) -> Bool {
            guard let value else { return unsafe ccurl_easy_set_pointer(raw, Int32(option), nil) == 0 }
            return unsafe value.withCString { unsafe ccurl_easy_set_pointer(raw, Int32(option), $0) == 0 }
        }

        @discardableResult
        func set(_ option: Int, _ value: Int) -> Bool {
            unsafe ccurl_easy_set_long(raw, Int32(option), value) == 0
        }

        func set(_ option: Int, pointer: UnsafeRawPointer?) {
            unsafe _ = ccurl_easy_set_pointer(raw, Int32(option), pointer)
        }

        func set(_ option: Int, callback: ccurl_data_callback) {
            unsafe _ = ccurl_easy_set_data_callback(raw, Int32(option), callback)
        }

        // Sets the fields that libcurl sends besides its defaults, and besides the codings that the transport decodes.
        func set(_ headers: HTTPHeaders) {
            // Rebuilt only on a change, because most requests have the same fields as the previous one. Unlike `==` of
            // fields, compares names case-sensitively.
            let isUnchanged = headerFields?.elementsEqual(headers.fields) {
                $0.name == $1.name && $0.content == $1.content
            }
            if isUnchanged != true {
                // libcurl reads the lines only while a transfer runs.
                unsafe ccurl_slist_free_all(headerLines)
                unsafe ccurl_slist_free_all(proxyLines)
                unsafe (headerLines, proxyLines) = (nil, nil)
                for field in headers.fields {
                    // RFC 9110, section 11.7.2: the field is for the proxy, and no other server may receive it.
                    if field.isNamed("Proxy-Authorization") {
                        unsafe proxyLines = Self.append(field, to: proxyLines)
                    } else {
                        unsafe headerLines = Self.append(field, to: headerLines)
                    }
                }
                if headers.acceptsCodings, let codings = ContentCoding.acceptEncoding {
                    unsafe headerLines = ccurl_slist_append(headerLines, "Accept-Encoding: \(codings)")
                }
                // Disables `Expect: 100-continue`, which costs a round trip, or one second if a server ignores it.
                if headers["Expect"] == nil { unsafe headerLines = ccurl_slist_append(headerLines, "Expect:") }
                headerFields = headers.fields
            }
            unsafe set(CCURLOPT_HTTPHEADER, pointer: headerLines)
            unsafe set(CCURLOPT_PROXYHEADER, pointer: proxyLines)
        }

        private static func append(
            _ field: HTTPHeaders.Field, to lines: UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer? {
            let start = field.value.isEmpty ? "\(field.name);" : "\(field.name): "
            guard field.content.isLatin1 else { return unsafe ccurl_slist_append(lines, start + field.value) }
            let line = (Array(start.utf8) + field.content.octets + [0]).map(CChar.init(bitPattern:))
            return unsafe ccurl_slist_append(lines, line)
        }

        func set(connectTimeout: Duration?) {
            let milliseconds = connectTimeout.map { max($0.nanoseconds / 1_000_000, 1) } ?? 0
            set(CCURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, Int64(Int32.max))))
        }

        // SAFETY: the context is the socket set, because connections outlive the transfers that open them. The set
        // outlives all connections.
        func closeSockets(through sockets: SocketSet) {
            unsafe set(CCURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(sockets).toOpaque())
            unsafe _ = ccurl_easy_set_close_callback(raw) { context, socket in
                unsafe SocketSet.from(context)?.close(socket)
                return 0
            }
        }

        /// Returns -1 if no socket can be opened.
        func openSocket(_ address: UnsafeMutableRawPointer?, in sockets: SocketSet) -> Int32 {
            let socket = unsafe ccurl_open_socket(address)
            socketError = socket < 0 ? POSIXErrorCode(rawValue: errno) : nil
            sockets.opened(socket)
            return socket
        }

        var id: UInt { unsafe UInt(bitPattern: raw) }

        func clearError() {
            unsafe errorText.pointee = 0
            socketError = nil
        }

        /// Returns libcurl's reason of a failure, or its text for the code, which is static.
        func reason(_ code: Int) -> String {
            let text = error
            return text.isEmpty ? unsafe String(cString: ccurl_easy_strerror(Int32(code))) : text
        }

        var error: String { unsafe String(cString: errorText) }

        func time(_ info: Int) -> Duration? {
            let microseconds = size(info)
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }

        /// Returns the 64-bit number that `info` identifies; 0 if this version of libcurl does not support `info`.
        func size(_ info: Int) -> Int64 {
            var value: Int64 = 0
            return unsafe ccurl_easy_get(raw, Int32(info), &value) == 0 ? value : 0
        }

        /// Returns the text that `info` identifies; `nil` if it is empty or not supported.
        func text(_ info: Int) -> String? {
            var text: UnsafeMutableRawPointer?
            guard unsafe ccurl_easy_get(raw, Int32(info), &text) == 0, let text = unsafe text else {
                return nil
            }
            let string = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
            return string.isEmpty ? nil : string
        }

        func number(_ info: Int) -> Int {
            var value = 0
            unsafe _ = ccurl_easy_get(raw, Int32(info), &value)
            return value
        }

        // Returns libcurl's result code. libcurl may call callbacks before this method returns.
        func resume() -> Int32 {
            unsafe ccurl_easy_pause(raw, Int32(CCURLPAUSE_CONT))
        }
    }

    // SAFETY: libcurl passes the context that was set with the callback, an object that outlives the handle.
    protocol CallbackContext: AnyObject {}

    extension CallbackContext {
        static func from(_ context: UnsafeMutableRawPointer?) -> Self? {
            unsafe context.map { unsafe Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
        }
    }
#endif
