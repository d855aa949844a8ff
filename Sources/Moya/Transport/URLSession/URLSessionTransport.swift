#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The engine on Apple platforms, and the fallback elsewhere: Foundation's URLSession, without its cookies, cache,
/// redirects and timers, which are not this layer's business.
///
/// It has no backpressure: an exchange whose receiver falls more than 16 MiB behind fails. On Linux, Foundation has
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
        let exchange = SessionExchange(request, receive)
        do {
            exchange.begin(try task(for: request), delegate) { try self.task(for: request) }
        } catch {
            let error =
                error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error])
            exchange.refuse(error, on: session.delegateQueue)
        }
        return exchange
    }

    private func task(for request: TransportRequest) throws -> URLSessionTask {
        switch request.body {
        case .none, .data:
            return session.dataTask(with: Self.urlRequest(request))
        case .file(let url):
            _ = try request.body.length()
            return session.uploadTask(with: Self.urlRequest(request), fromFile: url)
        case .stream:
            let reason = "URLSessionTransport cannot send a stream: use data, a file, or another engine"
            throw URLError(.requestBodyStreamExhausted, userInfo: [NSLocalizedDescriptionKey: reason])
        }
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
