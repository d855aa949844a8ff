public import Foundation

/// A type that sends requests to servers and delivers their responses.
///
/// A transport exchanges one request for one response. The layers above a transport implement redirects, challenges,
/// cookies, caching, retries and all deadlines except the one for connecting. A transport must not change the method,
/// the URL or the content. It decompresses content only if it added the field `Accept-Encoding` itself. If a connection
/// is closed before a response arrives, the transport may send the request again on a new connection, provided that the
/// request is ``TransportRequest/isRepeatable`` or no byte of it was sent.
public protocol Transport: Sendable {
    /// The optional capabilities of this transport.
    var capabilities: TransportCapabilities { get }

    /// Starts an exchange and returns without blocking.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - receive: receives the events of the exchange in order, one call at a time, on a thread of the transport.
    ///     The closure must not block, because one slow call may delay all other exchanges. Only the last call has an
    ///     ``TransportEvents/outcome``. This last call is always made, even if the exchange is cancelled.
    /// - Returns: the running exchange, for cancelling it and for acknowledging content.
    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange
}

/// The optional capabilities of a transport.
public struct TransportCapabilities: OptionSet, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt32

    /// Creates a set of capabilities.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The transport stops reading at the limit of ``TransportRequest/Delivery/chunks(window:)``.
    public static let backpressure = TransportCapabilities(rawValue: 1)
    /// The transport reports trailer fields.
    public static let trailers = TransportCapabilities(rawValue: 2)
    /// The transport measures the phases of an exchange, see ``TransportMetrics``.
    public static let metrics = TransportCapabilities(rawValue: 4)
    /// The transport enforces the deadline for connecting.
    public static let connectTimeout = TransportCapabilities(rawValue: 8)
    /// The transport can trust certificate authorities other than those of the system.
    public static let customAuthorities = TransportCapabilities(rawValue: 16)
    /// The transport can check pinned public keys.
    public static let pinning = TransportCapabilities(rawValue: 32)
    /// The transport can present a client certificate.
    public static let clientIdentity = TransportCapabilities(rawValue: 64)
    /// The transport has a cache, which satisfies requests with `only-if-cached` or refuses to send them.
    ///
    /// Without this capability, a request with the policy `returnCacheDataDontLoad` fails before it is sent.
    public static let caching = TransportCapabilities(rawValue: 128)
    /// The transport detects the loss of a silent server, by TCP keep-alive.
    ///
    /// Keep-alive does not detect the loss of a server behind a proxy that is still there, nor of one stream of an
    /// HTTP/2 connection that is still open.
    public static let keepAlive = TransportCapabilities(rawValue: 256)
    /// The transport sends the content of a stream while it is produced, and asks for more only when the connection
    /// takes it.
    ///
    /// A transport without this capability may first write the content to a temporary file.
    public static let streamsRequestContent = TransportCapabilities(rawValue: 512)
}

/// A running exchange of one request for one response.
public protocol TransportExchange: Cancellable {
    /// Acknowledges a number of content bytes that the receiver has processed.
    ///
    /// If the exchange has stopped reading at the limit of ``TransportRequest/Delivery/chunks(window:)``, the exchange
    /// resumes reading when enough bytes are acknowledged.
    func acknowledge(_ bytes: Int)
}

extension URLError {
    package static func tooLarge(limit: Int) -> URLError {
        URLError(
            .dataLengthExceedsMaximum,
            "the response is larger than the limit of \(limit) bytes. Raise maximumResponseSize of ProviderConfiguration "
                + "or RequestOptions, or download the content to a file.")
    }

    /// Wraps also a `URLError`, which would otherwise pass for an error of the network.
    package static func unreadableContent(_ error: any Error) -> URLError {
        let reason = TransportError.unavailable(error).description
        return URLError(
            .requestBodyStreamExhausted, "the content of the request cannot be read: \(reason)", underlying: error)
    }

    package static func notStored(_ url: URL) -> URLError {
        URLError(
            .resourceUnavailable,
            "no cache has a response to this request, and returnCacheDataDontLoad forbids sending it", url: url)
    }

    package static func notRepeated(_ request: TransportRequest) -> URLError {
        URLError(
            .networkConnectionLost,
            "the connection was closed after a part of the request was sent, and a \(request.method) request is not sent "
                + "again without an Idempotency-Key (RFC 9110, section 9.2.2)")
    }
}

/// A batch of the events that a transport has received since the previous batch.
public struct TransportEvents: Sendable {
    /// The head of the final response; interim responses (1xx) are not reported.
    public var head: ResponseHead?
    /// The content that has arrived since the previous batch, in order.
    public var chunks: [Data]
    /// The number of bytes of the request's content that were sent so far.
    public var bytesSent: Int64
    /// The outcome, in the last batch of the exchange; `nil` in all others.
    public var outcome: TransportOutcome?

    /// Creates a batch of events.
    public init(
        head: ResponseHead? = nil, chunks: [Data] = [], bytesSent: Int64 = 0, outcome: TransportOutcome? = nil
    ) {
        self.head = head
        self.chunks = chunks
        self.bytesSent = bytesSent
        self.outcome = outcome
    }

    package static var cancelled: TransportEvents {
        TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))
    }

    package var length: Int { chunks.reduce(0) { $0 + $1.count } }

    package var isProgressOnly: Bool { head == nil && chunks.isEmpty && outcome == nil }
}

/// The head of a response: its status code, HTTP version and header fields.
public struct ResponseHead: Sendable, Hashable {
    /// The status code.
    public let statusCode: Int
    /// The HTTP version, such as `HTTP/1.1`.
    public let version: String
    /// The header fields, in order.
    ///
    /// A transport that wraps another one changes the fields in a copy of the head, which still tells the provider
    /// whether a cache has answered.
    public var headers: HTTPHeaders
    /// Where the head comes from, which is not visible in its fields.
    package var origin = Origin.server(nil)
    /// The request, so that errors of streamed content can name it; `nil` unless the content is streamed.
    package var sent: Boxed<TransportRequest>?

    /// Whether another request may follow: the response is a redirect (status code 300 to 399) or a challenge (401).
    public var mayBeFollowed: Bool { (300..<400).contains(statusCode) || statusCode == 401 }

    /// Whether a stale response may replace this response (RFC 5861, section 4).
    package var mayBeReplaced: Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Whether the head is delivered as it arrives for ``TransportRequest/Delivery/whole``, too.
    package var isDeliveredOnArrival: Bool { mayBeFollowed || mayBeReplaced }

    /// Creates a head.
    public init(statusCode: Int, version: String, headers: HTTPHeaders) {
        self.statusCode = statusCode
        self.version = version
        self.headers = headers
    }

    package enum Origin: Sendable, Hashable {
        /// A server; with the status of the cache that has forwarded the request, if there is one.
        case server(CacheStatus?)
        /// A cache, which has stored the cookies of the head when the server sent it.
        case cache(CacheStatus)
        case stub(HTTPURLResponse)
    }

    /// How the cache of the transport handled the request; `nil` without a cache, whatever the server sent.
    package var cacheStatus: CacheStatus? {
        switch origin {
        case .server(let status): status
        case .cache(let status): status
        case .stub: nil
        }
    }

    /// Whether the content is an event stream (WHATWG HTML, section 9.2).
    package var isEventStream: Bool { headers.mediaType == "text/event-stream" }

    package var isReused: Bool { if case .cache = origin { true } else { false } }
}

/// The outcome of an exchange: an error or success, with trailers and metrics.
public struct TransportOutcome: Sendable {
    /// The error of the exchange, with a description by the transport; `nil` if the response is complete.
    public let error: URLError?
    /// The error of a stub or of an invalid request, which may have any type; ``error`` is this error as a `URLError`.
    private var failureOfAnyType: (any Error)?
    /// The trailer fields, if the transport has the capability ``TransportCapabilities/trailers``.
    public let trailers: HTTPHeaders
    /// The measurements of the exchange.
    public let metrics: TransportMetrics

    /// Creates an outcome.
    public init(error: URLError?, trailers: HTTPHeaders = [:], metrics: TransportMetrics = TransportMetrics()) {
        self.error = error
        self.trailers = trailers
        self.metrics = metrics
    }

    package init(failure error: any Error) {
        self.init(error: error as? URLError ?? URLError(.unknown, "\(error)"))
        failureOfAnyType = error
    }

    /// The error that the caller of a provider receives; `nil` if the response is complete.
    package var failure: (any Error)? { failureOfAnyType ?? error }
}

/// The exchange that a transport returns if it does not send the request; its methods have no effect.
package struct EndedExchange: TransportExchange {
    package init() {}

    package var isCancelled: Bool { false }
    package func cancel() {}
    package func acknowledge(_ bytes: Int) {}
}

/// Keeps copies of a request or a head cheap: a reference to a value that few of them have.
package final class Boxed<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// The request of a head is not compared.
extension Boxed: Equatable, Hashable where Value == TransportRequest {
    package static func == (left: Boxed, right: Boxed) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}
