#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The engine on Apple platforms, and the fallback elsewhere: Foundation's URLSession, without its cookies, cache,
/// redirects and timers, which are not this layer's business.
///
/// Content that is a stream is written to a temporary file first. It has no backpressure: an exchange whose receiver falls more than 16 MiB behind fails. On Linux, Foundation has
/// faults that no guard can mend (a server can end the process by trailers, or by closing the connection within the
/// response head): prefer ``CurlTransport`` there.
public final class URLSessionTransport: Transport {
    /// The engine that providers share by default where libcurl is not used.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let delegate = SessionDelegate()

    /// A session of its own.
    ///
    /// - Parameter configuration: the session's; what belongs to cookies, cache and timeouts is overridden.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// None.
    public var capabilities: TransportCapabilities { [] }

    /// Starts an exchange.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        guard case .stream = request.body else {
            let exchange = SessionExchange(request, receive)
            begin(exchange, request)
            return exchange
        }
        let spool = Spool()
        let file = Guarded<URL?>(nil)
        let exchange = SessionExchange(request, preparation: spool) { events in
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
        guard case .file(let url) = request.body else { return session.dataTask(with: Self.urlRequest(request)) }
        _ = try request.body.length()
        return session.uploadTask(with: Self.urlRequest(request), fromFile: url)
    }

    private static func urlRequest(_ request: TransportRequest) -> URLRequest {
        var result = URLRequest(url: request.url)
        result.httpMethod = request.method.rawValue
        result.allHTTPHeaderFields = request.headers.dictionary
        // Deadlines are kept above; this one must be finite, and never come first.
        result.timeoutInterval = 1e6
        if case .data(let data) = request.body { result.httpBody = data }
        return result
    }
}
