public import AsyncHTTPClient
public import Moya
public import NIOCore

/// A transport for programs that use SwiftNIO: AsyncHTTPClient, without its redirects, retries and timeouts for reading
/// and writing, which the provider implements.
///
/// It supports HTTP/1.1 and, over TLS, HTTP/2, with backpressure in both directions. It reports no trailers, which the
/// client does not provide, and ignores ``TransportRequest/connectTimeout``, because the client has one timeout for all
/// requests. Receivers are called on threads of Swift concurrency.
///
/// Running exchanges retain the transport; its deallocation shuts down its own clients.
public final class AsyncHTTPClientTransport: Transport {
    private let clients: Clients

    /// Creates a transport with clients of its own.
    ///
    /// - Parameters:
    ///   - configuration: the TLS, the proxy, the pool and the connect timeout of the clients; other timeouts,
    ///     redirects, decompression and connection retries are overridden.
    ///   - eventLoopGroup: the event loops of the connections.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
        eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup
    ) {
        clients = Clients(configuration, eventLoopGroup)
    }

    /// Creates a transport with a shared client, which its owner shuts down after the last exchange.
    ///
    /// With such a client it is not known which connections are new: if one is lost before a response, only requests
    /// with idempotent methods are repeated, once. Encodings are not offered.
    ///
    /// - Parameter client: a client that does not follow redirects, unlike `HTTPClient.shared`: an exchange fails if
    ///   the client has followed one.
    public init(client: HTTPClient) {
        clients = Clients(client)
    }

    deinit {
        clients.shutDown()
    }

    /// The capabilities: backpressure.
    public var capabilities: TransportCapabilities { .backpressure }

    /// Starts an exchange.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = Exchange(request, clients, receive)
        exchange.begin(retaining: self)
        return exchange
    }
}
