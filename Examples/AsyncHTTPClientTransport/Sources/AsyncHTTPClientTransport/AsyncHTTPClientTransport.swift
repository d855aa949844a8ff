public import AsyncHTTPClient
public import Moya
public import NIOCore

/// An engine for those who have SwiftNIO already: AsyncHTTPClient, without its redirects, retries and timeouts for
/// reading and writing, which are not this layer's business.
///
/// It speaks HTTP/1.1 and, over TLS, HTTP/2, and has backpressure in both directions. It reports no trailers, because the
/// client gives none, and does not keep ``TransportRequest/connectTimeout``, because the client has one for all requests.
/// Receivers are called on threads of Swift's concurrency.
///
/// It lives while one of its exchanges does; then the clients that it made are shut down.
public final class AsyncHTTPClientTransport: Transport {
    private let clients: Clients

    /// Makes clients of its own.
    ///
    /// - Parameters:
    ///   - configuration: the clients'; TLS, proxy, pool and the deadline for connecting are taken from it. What it says
    ///     about redirects, decompression, connecting again and other timeouts is overridden.
    ///   - eventLoopGroup: where their connections are.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
    ) {
        clients = Clients(configuration, eventLoopGroup)
    }

    /// Uses a client that is shared with others, and shut down by its owner, later than the last exchange.
    ///
    /// Such a client does not say which connections are new: when one is lost before an answer came, only requests of
    /// idempotent methods are sent again, once. Compressed content is not asked for.
    ///
    /// - Parameter client: it must be configured to follow no redirects, unlike `HTTPClient.shared`: an exchange for which
    ///   it has followed one fails.
    public init(client: HTTPClient) {
        clients = Clients(client)
    }

    deinit {
        clients.shutDown()
    }

    /// Backpressure.
    public var capabilities: TransportCapabilities { .backpressure }

    /// Starts an exchange.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = Exchange(request, clients, receive)
        exchange.begin(keeping: self)
        return exchange
    }
}
