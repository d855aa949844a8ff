import AsyncHTTPClient
import Moya
import NIOCore
import NIOHTTPCompression
import Synchronization

/// The clients of a transport.
struct Clients: Sendable {
    /// The number of connections that were opened.
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let decoding: HTTPClient
    /// Does not decode content: a client decodes all content or none.
    private let plain: HTTPClient
    /// `nil` for a shared client, which its owner shuts down.
    private let opened: Count?

    init(_ client: HTTPClient) {
        decoding = client
        plain = client
        opened = nil
    }

    init(_ configuration: HTTPClient.Configuration, _ group: any EventLoopGroup) {
        let opened = Count()
        typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>
        func counting(_ next: Initializer?) -> Initializer {
            { channel in
                opened.value.add(1, ordering: .relaxed)
                return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            }
        }
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.timeout.read = nil
        configuration.timeout.write = nil
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = counting(configuration.http1_1ConnectionDebugInitializer)
        configuration.http2ConnectionDebugInitializer = counting(configuration.http2ConnectionDebugInitializer)
        configuration.decompression = .disabled
        plain = HTTPClient(eventLoopGroup: group, configuration: configuration)
        configuration.decompression = .enabled(limit: .none)
        decoding = HTTPClient(eventLoopGroup: group, configuration: configuration)
        self.opened = opened
    }

    func shutDown() {
        guard opened != nil else { return }
        for client in [decoding, plain] { client.shutdown { _ in } }
    }

    /// Whether the transport offers encodings: not for a range, nor if the request has its own `Accept-Encoding`.
    func offersEncodings(for request: TransportRequest) -> Bool {
        opened != nil && request.headers["Accept-Encoding"] == nil && request.headers["Range"] == nil
    }

    func client(for request: TransportRequest) -> HTTPClient {
        offersEncodings(for: request) ? decoding : plain
    }

    /// The number of connections that were opened so far; `nil` if it is not known.
    var openedConnections: Int? { opened?.value.load(ordering: .relaxed) }

    /// Returns whether a request may be repeated whose connection was lost before its response.
    ///
    /// If no connection was opened meanwhile, the request was sent on a reused connection that the server had closed.
    ///
    /// - Parameter before: ``openedConnections`` when the request was sent.
    func mayRepeat(_ request: TransportRequest, openedBefore before: Int?) -> Bool {
        before.map { $0 == openedConnections } ?? request.method.isIdempotent
    }
}
