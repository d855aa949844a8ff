#if os(Linux)
    public import Foundation

    /// The transport on Linux: libcurl, loaded at run time, with its own threads.
    ///
    /// The transport supports HTTP/1.1 and, over TLS, HTTP/2 with multiplexing. It reuses connections and decompresses
    /// content. It trusts the certificate authorities of the system, or those of its ``ServerTrustPolicy``.
    ///
    /// TCP keep-alive detects the loss of a silent server: after 60 seconds of silence, and four probes at intervals of
    /// 15 seconds without an answer, the connection is lost; see ``TransportCapabilities/keepAlive`` for its limits.
    ///
    /// Each thread runs an event loop with its own connections. The receiver of an exchange is called on one thread,
    /// one call at a time. As long as the first thread has few exchanges, it gets all new exchanges, because only
    /// exchanges on the same thread can share connections. Otherwise a new exchange is assigned to the thread with the
    /// fewest exchanges.
    ///
    /// A running exchange retains the transport. When the transport is deinitialized, its connections are closed and
    /// its threads end.
    ///
    /// ```swift
    /// let transport = try CurlTransport(connectionsPerHost: 16, threads: 4)
    /// try transport.preconnect(to: URL(string: "https://api.example")!)
    /// let provider = MoyaProvider<Shop>(transport: transport)
    /// ```
    public final class CurlTransport: Transport {
        /// The transport that providers share by default; `nil` where libcurl cannot be loaded.
        public static var shared: CurlTransport? { try? makeShared() }

        // Only a success is kept: descriptors, for example, may be missing for a moment.
        package static func makeShared() throws(TransportError) -> CurlTransport {
            try created.withLock { created throws(TransportError) in
                if let created { return created }
                let transport = try CurlTransport()
                created = transport
                return transport
            }
        }
        private static let created = Locked<CurlTransport?>(nil)

        let group: CurlLoopGroup
        private let settings: CurlSettings
        private let hasShutDown = OneShotFlag()
        /// The queue of the loop for connections, which is started by the first of them.
        private let connections = Locked<CommandQueue<CurlConnectionLoop.Command>?>(nil)

        /// Creates a transport with its own threads and connections.
        ///
        /// - Parameters:
        ///   - trust: the servers to trust, and the identity of the client.
        ///   - proxy: the proxy to connect through.
        ///   - connectionsPerHost: the limit of connections to one host, over all threads. Further requests wait, in
        ///     order. HTTP/2 needs one connection for each thread.
        ///   - threads: the number of threads, from 1 to 64. The connections to a host are divided among the threads,
        ///     so more threads than `connectionsPerHost` have no effect. Defaults to half of the number of cores, but
        ///     at least 1 and at most 8.
        /// - Throws: ``TransportError/unavailable(_:)``, with the loader's reason, if libcurl 7.68 or newer cannot be
        ///   loaded. ``TransportError/unavailable(_:)`` if no file descriptors are left. ``TransportError/invalid(_:)``
        ///   if a number is out of range, a policy is malformed, or the loaded libcurl does not support a policy.
        public convenience init(
            trust: ServerTrustPolicy = .system, proxy: ProxyPolicy = .environment, connectionsPerHost: Int = 64,
            threads: Int? = nil
        ) throws(TransportError) {
            let library = try CurlCapabilities()
            let threads = threads ?? CurlSettings.defaultThreads(cores: ProcessInfo.processInfo.activeProcessorCount)
            try self.init(
                CurlSettings(library, trust, proxy, connectionsPerHost: connectionsPerHost, threads: threads))
        }

        package init(_ settings: CurlSettings) throws(TransportError) {
            group = try CurlLoopGroup(settings)
            self.settings = settings
        }

        deinit {
            shutdown()
        }

        /// All capabilities except ``TransportCapabilities/caching``.
        public var capabilities: TransportCapabilities {
            [
                .backpressure, .trailers, .metrics, .connectTimeout, .customAuthorities, .pinning, .clientIdentity,
                .keepAlive, .streamsRequestContent,
            ]
        }

        /// Starts an exchange, and returns at once.
        ///
        /// After ``shutdown()``, the outcome of the exchange is `URLError.cancelled`.
        public func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            guard let request = request.validated(orFailing: receive) else { return EndedExchange() }
            let exchange = CurlExchange(request, self, receive)
            group.start(exchange)
            return exchange
        }
    }

    extension CurlTransport {
        private static let preconnectTimeout = Duration.seconds(30)

        /// Opens connections that later requests to the same scheme, host and port reuse, and returns at once.
        ///
        /// libcurl keeps a connection open only if it was used for a request. So a `HEAD` request for `/` is sent on
        /// each connection, and its response is ignored. The path, the query and the credentials of `url` are not sent.
        /// With HTTP/2, one connection is sufficient.
        ///
        /// An attempt to connect ends after at most 30 seconds. Its failure is not reported: the next request connects
        /// again and reports the error. A server may close a connection at any time.
        ///
        /// ```swift
        /// try transport.preconnect(to: URL(string: "https://api.example")!, connections: 4)
        /// ```
        ///
        /// - Parameters:
        ///   - url: a URL of the server, with the scheme `http` or `https`.
        ///   - connections: how many connections to open, at most `connectionsPerHost`.
        /// - Throws: ``TransportError/invalid(_:)`` for a URL without a host, or with another scheme.
        public func preconnect(to url: URL, connections: Int = 1) throws(TransportError) {
            var parts = url.withoutSecrets.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
            parts?.path = "/"
            // libcurl tries the next address of a host after half of this time.
            let request = try TransportRequest(
                method: .head, url: parts?.url ?? url, connectTimeout: Self.preconnectTimeout)
            for _ in 0..<min(max(connections, 0), settings.connectionsPerHost) {
                let exchange = CurlExchange(request, isPreconnect: true, self) { _ in }
                group.start(exchange)
                DispatchScheduler.deliveries.schedule(after: Self.preconnectTimeout) { [weak exchange] in
                    exchange?.cancel()
                }
            }
        }

        /// Cancels all exchanges, closes all connections and ends the threads; returns at once.
        ///
        /// Each incomplete exchange, and each exchange that is started later, has the outcome `URLError.cancelled`. The
        /// method may be called from any thread, and more than once.
        public func shutdown() {
            for queue in group.queues { queue.send(.stop) }
            _ = hasShutDown.setIfUnset()
            connections.withLock { $0 }?.send(.stop)
        }
    }

    extension CurlTransport: ConnectingTransport {
        package func connect(
            for request: TransportRequest, window: Int, receive: @escaping @Sendable (ConnectionEvent) -> Void
        ) -> any TransportConnection {
            do throws(TransportError) {
                let queue = try connections.withLock { queue throws(TransportError) in
                    if let queue { return queue }
                    let started = try CurlConnectionLoop.start(settings)
                    queue = started
                    return started
                }
                let connection = CurlConnection(request, window: window, self, queue, receive)
                if hasShutDown.isSet || !queue.send(.open(connection)) { receive(.ended(.transportWasShutDown)) }
                return connection
            } catch {
                receive(.ended(URLError(.cannotConnectToHost, "\(error)")))
                return EndedExchange()
            }
        }
    }
#endif
