#if os(Linux)
    import Foundation

    /// The engine on Linux: libcurl, loaded at run time, on one thread of its own.
    ///
    /// It speaks HTTP/1.1 and, over TLS, HTTP/2 with multiplexing; it reuses connections, decompresses content, and trusts
    /// the system's certificate authorities, unless its ``ServerTrustPolicy`` says otherwise. Receivers are called on the
    /// engine's thread.
    ///
    /// It lives while one of its exchanges does; then its thread ends and its connections are closed.
    public final class CurlTransport: Transport {
        /// The engine that providers share by default; nil where libcurl cannot be loaded.
        public static let shared = try? CurlTransport()

        private let inbox: CurlInbox

        /// Starts an engine with a thread and connections of its own.
        ///
        /// - Parameters:
        ///   - trust: which servers it trusts, and how it shows itself to them.
        ///   - proxy: by way of which proxy it reaches them.
        ///   - connectionsPerHost: how many connections it opens to one host at most; further requests wait for their turn.
        ///     HTTP/2 needs one.
        /// - Throws: `MoyaError.underlying` when libcurl (7.68 or newer) cannot be loaded, with the loader's reason;
        ///   `MoyaError.requestMapping` for a policy with a part that is malformed, or that this libcurl cannot keep.
        public convenience init(
            trust: ServerTrustPolicy = .system, proxy: ProxyPolicy = .environment, connectionsPerHost: Int = 64
        ) throws(MoyaError) {
            let library = try CurlLibrary.loaded()
            try self.init(CurlSettings(library, trust, proxy, connectionsPerHost: connectionsPerHost))
        }

        init(_ settings: CurlSettings) throws(MoyaError) {
            let inbox = try CurlInbox()
            self.inbox = inbox
            let sockets = try SocketSet.makeDescriptor()
            let thread = Thread { CurlLoop(inbox, SocketSet(descriptor: sockets), settings).run() }
            thread.name = "moya.curl"
            thread.start()
        }

        deinit {
            inbox.send(.stop)
        }

        /// Everything.
        public var capabilities: TransportCapabilities {
            [
                .backpressure, .trailers, .metrics, .connectTimeout, .customAuthorities, .pinning, .clientIdentity,
            ]
        }

        /// Starts an exchange.
        public func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            let exchange = CurlExchange(request, self, inbox, receive)
            inbox.send(.start(exchange))
            return exchange
        }
    }
#endif
