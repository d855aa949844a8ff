public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine: it carries one request to a server, and the answer back.
///
/// It does no more than that: redirects, challenges, cookies, caches, retries and all deadlines but that of connecting
/// are above it, the same for every engine. It may not change the method, the URL or the content; it decompresses content
/// whose encoding it offered itself. It may send a request again, on a new connection, when the connection turns out to be dead
/// before a response: one that is ``TransportRequest/isRepeatable``, or of which not one byte was sent.
public protocol Transport: Sendable {
    /// What this engine can do beyond the plain exchange.
    var capabilities: TransportCapabilities { get }

    /// Starts an exchange, and returns at once.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - receive: told what comes, in order and one call at a time, on a thread of the engine, which it must not block:
    ///     one slow call may hold up every other exchange. The last call, and only that, has an
    ///     ``TransportEvents/outcome``; it comes exactly once, also after a cancel.
    /// - Returns: the way to cancel, and to give credit back.
    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange
}

/// What an engine can do beyond the plain exchange.
public struct TransportCapabilities: OptionSet, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt32

    /// A set of capabilities.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It stops reading when the receiver does not keep up, see ``TransportRequest/Delivery/chunks(window:)``.
    public static let backpressure = TransportCapabilities(rawValue: 1)
    /// It reports trailers.
    public static let trailers = TransportCapabilities(rawValue: 2)
    /// It reports ``TransportMetrics`` beyond the total time.
    public static let metrics = TransportCapabilities(rawValue: 4)
    /// It keeps the deadline for connecting.
    public static let connectTimeout = TransportCapabilities(rawValue: 8)
    /// It trusts certificate authorities besides the system's when told so.
    public static let customAuthorities = TransportCapabilities(rawValue: 16)
    /// It checks pinned public keys.
    public static let pinning = TransportCapabilities(rawValue: 32)
    /// It presents a client certificate.
    public static let clientIdentity = TransportCapabilities(rawValue: 64)
}

/// A running exchange.
public protocol TransportExchange: Cancellable {
    /// Gives back credit for content that has been dealt with, in bytes: an exchange that was held back by its window
    /// goes on.
    func consumed(_ bytes: Int)
}

/// What to send.
public struct TransportRequest: Sendable {
    /// How the content of the answer is delivered.
    public enum Delivery: Sendable, Hashable {
        /// In one piece, together with head and outcome. Batches that come before are signs of life, without either; but
        /// an answer that may be followed by another request (``ResponseHead/mayBeFollowed``) comes as it arrives.
        case whole
        /// As it arrives. With a window, reading stops when so many bytes have not been ``TransportExchange/consumed(_:)``;
        /// what was on its way may still come, mostly one more chunk. An engine without
        /// ``TransportCapabilities/backpressure`` reads on, and may fail the exchange when too much waits:
        /// ``URLSessionTransport`` on Linux does when that is more than 256 MiB.
        case chunks(window: Int?)
    }

    /// The method: a token.
    public internal(set) var method: HTTPMethod
    /// An absolute URL of the scheme http or https, with a host.
    public internal(set) var url: URL
    /// The header fields; without those about the content's length and framing, which are the engine's.
    public internal(set) var headers: HTTPHeaders
    /// The content.
    public internal(set) var body: RequestBody
    /// How long connecting may take, name look-up and TLS included; nil leaves it to the engine.
    public let connectTimeout: Duration?
    /// How the answer's content is delivered.
    public let delivery: Delivery

    /// A request that an engine can rely on.
    ///
    /// - Throws: `MoyaError.requestMapping` for another scheme, a missing host, a method that is no token, a header name
    ///   that is no token, a control character in a header value, a header about the length or framing of the content,
    ///   CONNECT, or content for HEAD or TRACE.
    public init(
        method: HTTPMethod, url: URL, headers: HTTPHeaders = [:], body: RequestBody = .none,
        connectTimeout: Duration? = nil, delivery: Delivery = .whole
    ) throws(MoyaError) {
        let url = url.absoluteURL
        try url.checkForHTTP()
        try self.init(
            method: method, checkedURL: url, headers: headers, body: body, connectTimeout: connectTimeout,
            delivery: delivery)
    }

    /// - Parameter url: an absolute URL of the scheme http or https, with a host.
    init(
        method: HTTPMethod, checkedURL url: URL, headers: HTTPHeaders, body: RequestBody, connectTimeout: Duration?,
        delivery: Delivery
    ) throws(MoyaError) {
        guard method.rawValue.isToken else {
            throw .requestMapping(
                "\(method.rawValue.debugDescription) is not a method: it must be a token, such as GET")
        }
        try headers.validate()
        for field in headers.fields where field.isNamed("Content-Length") || field.isNamed("Transfer-Encoding") {
            throw .requestMapping("the header \(field.name) is set by the transport from the body: remove it")
        }
        guard method != .connect else {
            throw .requestMapping("CONNECT is for proxies, which a transport talks to itself")
        }
        if case .none = body {
        } else if method == .head || method == .trace {
            throw .requestMapping("a \(method) request has no content: use another method, or no body")
        }
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeout = connectTimeout
        self.delivery = delivery
    }
}

extension TransportRequest {
    /// Whether a transport may send it again when its connection turns out to be dead after a part of it was sent: its method
    /// is idempotent, or it has an `Idempotency-Key` (RFC 9110, section 9.2.2).
    public var isRepeatable: Bool { method.isIdempotent || headers["Idempotency-Key"] != nil }

    /// Whether a length is sent, if only that of nothing: for content, and for methods that are made for it.
    var hasContent: Bool {
        if case .none = body { [.post, .put, .patch].contains(method) } else { true }
    }
}

extension URLError {
    /// For a request that was sent, at least in part, on a connection that was lost, and that may not be repeated.
    static func notRepeated(_ request: TransportRequest) -> URLError {
        URLError(
            .networkConnectionLost,
            "the connection was closed after a part of the request was sent, and a \(request.method) request is not sent "
                + "again without an Idempotency-Key (RFC 9110, section 9.2.2)")
    }
}

/// What an engine reports: one batch of whatever has come since the last.
public struct TransportEvents: Sendable {
    /// The head of the final response; heads of the class 1xx are not reported.
    public var head: ResponseHead?
    /// Content, in order.
    public var chunks: [Data]
    /// The bytes of the request's content that have been sent so far.
    public var bytesSent: Int64
    /// The end of the exchange.
    public var outcome: TransportOutcome?

    /// A batch.
    public init(
        head: ResponseHead? = nil, chunks: [Data] = [], bytesSent: Int64 = 0, outcome: TransportOutcome? = nil
    ) {
        self.head = head
        self.chunks = chunks
        self.bytesSent = bytesSent
        self.outcome = outcome
    }

    /// How many bytes of content it has.
    var length: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Whether it says no more than that something moves.
    var isSignOfLife: Bool { head == nil && chunks.isEmpty && outcome == nil }
}

/// The head of a response.
public struct ResponseHead: Sendable, Hashable {
    /// The status code.
    public let statusCode: Int
    /// The version, as in `HTTP/1.1`.
    public let version: String
    /// The header fields, in order.
    public let headers: HTTPHeaders
    /// The Foundation response that the head of a sample was made of.
    private(set) var sample: HTTPURLResponse?
    /// Whether it comes from a cache: its cookies were stored when it was received from the server.
    var isReused = false

    /// Whether another request may follow: a redirect or a challenge, with a status code of 300 to 399, or 401.
    public var mayBeFollowed: Bool { (300..<400).contains(statusCode) || statusCode == 401 }

    /// A head.
    public init(statusCode: Int, version: String, headers: HTTPHeaders) {
        self.statusCode = statusCode
        self.version = version
        self.headers = headers
    }

    /// The head of a sample.
    init(sample: HTTPURLResponse) {
        self.init(statusCode: sample.statusCode, version: "HTTP/1.1", headers: HTTPHeaders(sample))
        self.sample = sample
    }
}

/// How an exchange ended.
public struct TransportOutcome: Sendable {
    /// The error that the exchange failed with, described by the transport; `nil` if the response is complete.
    public let error: URLError?
    /// The error of a stub that is no `URLError`.
    private(set) var sampleError: (any Error)?
    /// The fields behind the content, where the engine gives them.
    public let trailers: HTTPHeaders
    /// How long it took.
    public let metrics: TransportMetrics

    /// An outcome.
    public init(error: URLError?, trailers: HTTPHeaders = [:], metrics: TransportMetrics = TransportMetrics()) {
        self.error = error
        self.trailers = trailers
        self.metrics = metrics
    }

    /// The outcome of a stub that fails.
    init(sampleError error: any Error) {
        self.init(error: error as? URLError ?? URLError(.unknown, "\(error)"))
        sampleError = error
    }

    /// The error, as the caller of a provider receives it.
    var failure: (any Error)? { sampleError ?? error }
}
