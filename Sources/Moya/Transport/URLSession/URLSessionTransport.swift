#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The engine on Apple platforms, and the fallback elsewhere: Foundation's URLSession, without its cookies, cache,
/// redirects and timers, which are not this layer's business.
///
/// Content that is a stream is written to a temporary file first. Answers are decoded also where the request asked for the
/// encoding itself. On Apple platforms the window holds a server back. On Linux nothing does: what a receiver has not dealt
/// with waits in memory, and an exchange of which more than 256 MiB wait fails. There, Foundation has faults that no guard
/// can mend, too, see the article `URLSessionOnLinux`: prefer ``CurlTransport``.
public final class URLSessionTransport: Transport {
    /// The engine that providers share by default where libcurl is not used.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let delegate: SessionDelegate
    private let trust: SessionTrust
    private let maximumBufferedBytes: Int

    /// A session of its own that trusts whom the system trusts.
    ///
    /// - Parameter configuration: the session's; what belongs to cookies, cache, timeouts and trust is overridden.
    public convenience init(configuration: URLSessionConfiguration = .ephemeral) {
        self.init(configuration, .system)
    }

    /// A session of its own that keeps a trust policy.
    ///
    /// On Linux Foundation has no means for that: any policy but ``ServerTrustPolicy/system`` is refused. On Apple platforms
    /// a client identity in PEM is refused; give the session a credential from PKCS#12 or the keychain instead. There, in
    /// an app, App Transport Security goes first: a host with an authority of your own needs an exception from it.
    ///
    /// - Parameters:
    ///   - configuration: the session's; what belongs to cookies, cache, timeouts and trust is overridden.
    ///   - trust: which servers it trusts.
    /// - Throws: `MoyaError.requestMapping` for a policy with a part that is malformed, or that this engine cannot keep.
    public convenience init(
        configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrustPolicy
    ) throws(MoyaError) {
        self.init(configuration, try SessionTrust(trust))
    }

    /// - Parameters:
    ///   - configuration: the session's.
    ///   - trust: which servers it trusts.
    ///   - maximumBufferedBytes: how much of an answer may wait for its receiver, in bytes, before it fails.
    init(_ configuration: URLSessionConfiguration, _ trust: SessionTrust, maximumBufferedBytes: Int = 256 << 20) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
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
            // Foundation uses the same libcurl: loaded like this, it does not make the process crash when it ends.
            _ = try? CurlLibrary.loaded()
        #endif
        self.trust = trust
        self.maximumBufferedBytes = maximumBufferedBytes
        delegate = SessionDelegate(trust)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// On Linux none; on Apple platforms backpressure, metrics, authorities of one's own, pins, and, if it was given one, a
    /// client certificate.
    ///
    /// Without metrics it still reports the times of the first byte and of the end, as seen by the receiver.
    public var capabilities: TransportCapabilities {
        let own = SessionExchange.canHoldBack ? trust.capabilities.union(.backpressure) : trust.capabilities
        #if canImport(FoundationNetworking)
            return own
        #else
            return own.union(.metrics)
        #endif
    }

    /// Starts an exchange.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        guard case .stream = request.body else {
            let exchange = SessionExchange(request, maximumBufferedBytes: maximumBufferedBytes, receive)
            begin(exchange, request)
            return exchange
        }
        let spool = Spool()
        let file = Locked<URL?>(nil)
        let exchange = SessionExchange(request, maximumBufferedBytes: maximumBufferedBytes, preparation: spool) {
            events in
            if events.outcome != nil, let file = file.withLock({ $0 }) { try? FileManager.default.removeItem(at: file) }
            receive(events)
        }
        spool.write(request.body) { [self] result in
            switch result {
            case .success(let url):
                file.withLock { $0 = url }
                var request = request
                request.body = .file(url)
                begin(exchange, request)
            case .failure(let error): refuse(exchange, error)
            }
        }
        return exchange
    }

    private func begin(_ exchange: SessionExchange, _ request: TransportRequest) {
        do {
            exchange.begin(try task(for: request), delegate) { try self.task(for: request) }
        } catch {
            refuse(exchange, error)
        }
    }

    private func refuse(_ exchange: SessionExchange, _ error: any Error) {
        let error =
            error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error])
        exchange.refuse(error, on: session.delegateQueue)
    }

    private func task(for request: TransportRequest) throws -> URLSessionTask {
        guard request.method != .get || !request.hasContent else {
            throw URLError(
                .requestBodyStreamExhausted, "URLSession sends no content with GET: use another method or engine")
        }
        let result = try URLRequest(request)
        guard case .file(let url) = request.body else { return session.dataTask(with: result) }
        _ = try request.body.length()
        return session.uploadTask(with: result, fromFile: url)
    }
}
