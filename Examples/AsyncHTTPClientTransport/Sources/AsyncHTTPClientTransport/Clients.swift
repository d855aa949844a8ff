import AsyncHTTPClient
import Moya
import NIOCore
import NIOHTTPCompression
import Synchronization

/// The clients of an engine.
struct Clients: Sendable {
    /// How many connections were opened.
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let decoding: HTTPClient
    /// Leaves encoded content as it is: a client decodes all or nothing.
    private let plain: HTTPClient
    /// Nil if the client is somebody else's, and so is its shutdown.
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

    /// Whether the engine asks for compressed content: not for a range, and not where the request has its own wishes.
    func offersEncodings(for request: TransportRequest) -> Bool {
        opened != nil && request.headers["Accept-Encoding"] == nil && request.headers["Range"] == nil
    }

    func client(for request: TransportRequest) -> HTTPClient {
        offersEncodings(for: request) ? decoding : plain
    }

    /// How many connections were opened so far; nil if that is not known.
    var openedConnections: Int? { opened?.value.load(ordering: .relaxed) }

    /// Whether a request may be sent again whose connection was lost before an answer came.
    ///
    /// If none was opened meanwhile, it had been used before, and was dead: the server has not seen the request.
    ///
    /// - Parameter before: ``openedConnections`` when the request was sent.
    func mayRepeat(_ request: TransportRequest, openedBefore before: Int?) -> Bool {
        before.map { $0 == openedConnections } ?? request.method.isIdempotent
    }
}
