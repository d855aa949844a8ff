#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

#if os(Linux)
    import CMoyaCurl
#endif

/// A transport with Foundation's URLSession: the default on Apple platforms, and the fallback on Linux.
///
/// URLSession's cookies, cache, redirects and timeouts are disabled. On Linux, the content of a stream is written to a
/// temporary file before it is sent. URLSession decompresses a response even if the request has the field
/// `Accept-Encoding`.
///
/// On Apple platforms, the transport stops reading at the limit of ``TransportRequest/Delivery/chunks(window:)``. On
/// Linux, it continues to read and buffers unconsumed content in memory. An exchange with more than 256 MiB of
/// unconsumed content, and more than its window, fails. Foundation on Linux also has faults without a workaround, see
/// the article `URLSessionOnLinux`. Prefer ``CurlTransport`` on Linux.
public final class URLSessionTransport: Transport {
    /// The transport that providers share by default if libcurl is not used.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let delegate: SessionDelegate
    private let maximumBufferedBytes: Int

    /// Creates a transport with its own session and the system's trust.
    ///
    /// - Parameter configuration: the session's configuration; its settings for cookies, cache, timeouts and trust are
    ///   overridden.
    public convenience init(configuration: URLSessionConfiguration = .ephemeral) {
        self.init(configuration.ownCopy, .system)
    }

    /// Creates a transport with its own session, a trust policy and a proxy.
    ///
    /// On Linux, Foundation cannot enforce policies, so any except ``ServerTrustPolicy/system`` and
    /// ``ProxyPolicy/environment`` is rejected. On Apple platforms, ``ProxyPolicy/environment`` uses the system's
    /// proxies, and an exception of a proxy includes the subdomains of its domain. A client identity in PEM is rejected
    /// there; pass a credential from PKCS#12 or the keychain instead. In an app, App Transport Security applies first:
    /// a host with a custom authority needs an exception in the app's settings.
    ///
    /// - Parameters:
    ///   - configuration: the session's configuration; its settings for cookies, cache, timeouts and trust are
    ///     overridden.
    ///   - trust: the servers that the transport trusts.
    ///   - proxy: the proxy that the transport uses.
    /// - Throws: ``TransportError/invalid(_:)`` if a policy is malformed or the transport cannot enforce it.
    public convenience init(
        configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrustPolicy,
        proxy: ProxyPolicy = .environment
    ) throws(TransportError) {
        let configuration = configuration.ownCopy
        try proxy.apply(to: configuration)
        self.init(configuration, try SessionTrust(trust))
    }

    init(_ configuration: URLSessionConfiguration, _ trust: SessionTrust, maximumBufferedBytes: Int = 256 << 20) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        configuration.timeoutIntervalForResource = URLRequest.longestTimeout
        trust.apply(to: configuration)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        #if os(Linux)
            // The session would initialize OpenSSL with an exit handler, which frees memory that other threads still
            // use and can crash the process. The loader of libcurl initializes OpenSSL first, without the handler.
            _ = ccurl_load()
        #endif
        self.maximumBufferedBytes = maximumBufferedBytes
        delegate = SessionDelegate(trust)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The capabilities of this transport; the empty set on Linux.
    ///
    /// On Apple platforms, the set contains `backpressure`, `streamsRequestContent`, `metrics`, `customAuthorities` and
    /// `pinning`. It also contains `clientIdentity` if the transport has a client certificate. Without the capability
    /// `metrics`, the transport reports only the time until the first byte and the total time.
    public var capabilities: TransportCapabilities {
        #if canImport(FoundationNetworking)
            []
        #else
            delegate.trust.capabilities.union([.backpressure, .metrics, .streamsRequestContent])
        #endif
    }

    /// Starts an exchange; on Linux, the content of a stream is first written to a temporary file.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        guard let request = request.validated(orFailing: receive) else { return EndedExchange() }
        #if canImport(FoundationNetworking)
            if case .stream = request.body { return startSpooling(request, receive) }
        #endif
        let exchange = SessionExchange(request, maximumBufferedBytes: maximumBufferedBytes, receive)
        #if canImport(FoundationNetworking)
            // Creating a task waits until Foundation has handled what the tasks of all sessions have received.
            Self.starting.async { [self] in begin(exchange, request) }
        #else
            begin(exchange, request)
        #endif
        return exchange
    }

    /// Writes the content to a file first, because Foundation on Linux cannot wait for a slow stream.
    private func startSpooling(
        _ request: TransportRequest, _ receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let spool = RequestBodyPump()
        let file = FileManager.default.privateFile()
        let exchange = SessionExchange(request, maximumBufferedBytes: maximumBufferedBytes, pump: spool) { events in
            if events.outcome != nil { try? FileManager.default.removeItem(at: file) }
            receive(events)
        }
        Thread.detachNewThread { [self] in
            do {
                try spool.spool(request.body, to: file) { exchange.reportReading(on: session.delegateQueue) }
                var request = request
                request.body = .file(file)
                begin(exchange, request)
            } catch {
                exchange.end(.unreadableContent(error), on: session.delegateQueue)
            }
        }
        return exchange
    }

    func begin(_ exchange: SessionExchange, _ request: TransportRequest) {
        exchange.begin(session, delegate) { try self.task(for: request) }
    }

    #if canImport(FoundationNetworking)
        private static let starting = DispatchQueue(label: "moya.urlsession.start")
        private static let maximumSizeInMemory: Int64 = 16 << 20
    #endif

    private func task(for request: TransportRequest) throws -> URLSessionTask {
        guard request.method != .get || !request.hasContent else {
            throw URLError(
                .requestBodyStreamExhausted, "URLSession sends no content with GET. Use another method or transport.")
        }
        #if canImport(FoundationNetworking)
            var request = request
            // Foundation would reuse the connection after a response instead of 100 Continue: the server would read
            // the next request as the content.
            request.headers["Expect"] = nil
            if case .file(let url) = request.body, let length = try request.body.length(), length > 0 {
                // A long file is streamed, in chunks: an upload task, which has its length, crashes the process if it
                // ends early.
                guard length <= Self.maximumSizeInMemory else {
                    var streamed = try URLRequest(request)
                    streamed.httpBodyStream = InputStream(url: url)
                    return session.dataTask(with: streamed)
                }
                request.content = try Data(contentsOf: url)
            }
        #endif
        let result = try URLRequest(request)
        #if !canImport(FoundationNetworking)
            if case .stream = request.body { return session.uploadTask(withStreamedRequest: result) }
        #endif
        guard case .file(let url) = request.body else { return session.dataTask(with: result) }
        // Throws if the file does not exist.
        _ = try request.body.length()
        return session.uploadTask(with: result, fromFile: url)
    }
}

#if !canImport(FoundationNetworking)
    extension URLSessionTransport: ConnectingTransport {
        package func connect(
            for request: TransportRequest, window: Int, receive: @escaping @Sendable (ConnectionEvent) -> Void
        ) -> any TransportConnection {
            let url = request.url
            let task = session.streamTask(
                withHostName: url.host(percentEncoded: false) ?? "", port: url.effectivePort)
            let connection = SessionConnection(task, url, window: window, receive)
            delegate.register(connection, for: task)
            connection.begin(on: session.delegateQueue)
            return connection
        }
    }
#endif

extension URLSessionConfiguration {
    /// A copy, because the caller may still change the configuration.
    var ownCopy: URLSessionConfiguration { copy() as? URLSessionConfiguration ?? self }
}
