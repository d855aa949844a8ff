public import Foundation

/// An HTTP request: the value that an endpoint makes, plugins and interceptors change, and a transport sends.
///
/// ```swift
/// var request = try TransportRequest(method: .get, url: url)
/// request.headers["Accept"] = "application/json"
/// ```
/// A transport never receives an invalid request from a provider: the provider calls ``validate()`` once, after the
/// last change.
public struct TransportRequest: Sendable {
    /// The delivery mode of the response content.
    public enum Delivery: Sendable, Hashable {
        /// The content is delivered in one piece, in the same ``TransportEvents`` as the head and the outcome.
        ///
        /// Earlier events report progress only. A redirect or a challenge (``ResponseHead/mayBeFollowed``) is, however,
        /// delivered as it arrives, so that the receiver can prepare another request before the content is complete.
        /// So may be an error of the server (500, 502, 503 or 504), which a cache may replace.
        case whole
        /// The content is delivered as it arrives.
        ///
        /// `window` is the maximum number of bytes that are delivered but not yet acknowledged with
        /// ``TransportExchange/acknowledge(_:)``. If `window` is `nil`, there is no maximum. The transport stops
        /// reading at the maximum. Content that was already read, usually one chunk, may still be delivered.
        ///
        /// A transport without ``TransportCapabilities/backpressure`` does not stop reading, and may fail the exchange
        /// if too many bytes are not acknowledged, see ``URLSessionTransport``.
        case chunks(window: Int?)
    }

    /// The method, a token (RFC 9110, section 5.6.2).
    public var method: HTTPMethod { didSet { areOtherPartsValid = false } }
    /// An absolute URL of the scheme http or https, with a host.
    ///
    /// ``validate()`` removes the segments `.` and `..` from its path.
    public var url: URL { didSet { isURLValid = false } }
    /// The header fields, except `Content-Length` and `Transfer-Encoding`, which the transport adds.
    ///
    /// ``validate()`` joins several fields with the name `Cookie` to one.
    public var headers: HTTPHeaders { didSet { areOtherPartsValid = false } }
    /// The content.
    ///
    /// Plugins and interceptors do not see the content of an upload task, which a provider adds when it sends the
    /// request. If they set content, that content is sent instead.
    public var body: RequestBody { didSet { areOtherPartsValid = false } }
    /// The deadline for connecting, including name look-up and TLS handshake; `nil` for the transport's default.
    public package(set) var connectTimeout: Duration?
    /// The delivery mode of the response content.
    public var delivery: Delivery
    /// The maximum size of the response content after decompression, in bytes; `nil` for no limit.
    ///
    /// A transport counts the content while it arrives, and fails an exchange with more of it with
    /// `URLError.dataLengthExceedsMaximum`. A provider sets this property to
    /// ``ProviderConfiguration/maximumResponseSize`` for responses that it keeps in memory, and refuses larger
    /// responses of transports that do not count.
    public package(set) var maximumResponseSize: Int?
    /// The value of ``ProviderConfiguration/callContext`` for the provider's call that sends this request, if any.
    ///
    /// Interceptors, plugins and transports can read the context, which is not sent to the server.
    public var callContext: (any Sendable)? { context?.value }
    package var context: Boxed<any Sendable>?
    /// The jar for the cookies of responses that a cache receives and does not deliver.
    package var cookieJar: CookieJar?
    /// Whether content is decoded although the field `Accept-Encoding`, which the provider has added, asks for none.
    package var decodesUnrequestedCodings = false
    /// A `URLRequest` with the settings that only it has, such as `httpShouldHandleCookies`; `nil` if none is set.
    var boxedTemplate: Boxed<URLRequest>?
    private var isURLValid = false
    private var areOtherPartsValid = false

    /// Creates a validated request.
    ///
    /// - Throws: ``TransportError/invalid(_:)`` for an invalid request, see ``validate()``.
    public init(
        method: HTTPMethod, url: URL, headers: HTTPHeaders = [:], body: RequestBody = .none,
        connectTimeout: Duration? = nil, delivery: Delivery = .whole, maximumResponseSize: Int? = nil
    ) throws(TransportError) {
        self.init(unchecked: method, url, headers, body)
        self.connectTimeout = connectTimeout
        self.delivery = delivery
        self.maximumResponseSize = maximumResponseSize
        try validate()
    }

    /// - Parameter isURLValid: whether the URL is absolute, http or https, with a host and without dot segments.
    package init(
        unchecked method: HTTPMethod, _ url: URL, _ headers: HTTPHeaders, _ body: RequestBody, isURLValid: Bool = false
    ) {
        self.isURLValid = isURLValid
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        delivery = .whole
    }

    /// Throws an error unless a transport can send this request; costs nothing if nothing has changed since the last
    /// call.
    ///
    /// - Throws: ``TransportError/invalid(_:)`` for an invalid request. The URL must have a host, and the scheme http
    ///   or https. The method must be a token other than CONNECT. HEAD and TRACE requests must not have content. The
    ///   ``headers`` must pass ``HTTPHeaders/validate()`` and not contain `Content-Length` or `Transfer-Encoding`.
    public mutating func validate() throws(TransportError) {
        if !isURLValid {
            let absolute = url.absoluteURL
            try absolute.checkForHTTP()
            url = absolute.withoutDotSegments
            isURLValid = true
        }
        if areOtherPartsValid { return }
        try method.validate()
        try headers.validate()
        var cookies = 0
        for field in headers.fields {
            guard !field.isNamed("Content-Length"), !field.isNamed("Transfer-Encoding") else {
                throw .invalid("the header \(field.name) is set by the transport from the body. Remove it.")
            }
            if field.isNamed("Cookie") { cookies += 1 }
        }
        guard method != .connect else {
            throw .invalid(
                "CONNECT is for proxies, and transports connect to proxies themselves. Use another method.")
        }
        if case .none = body {
        } else if method == .head || method == .trace {
            throw .invalid("a \(method) request has no content. Use another method, or no body.")
        }
        // RFC 6265, section 5.4: a request has one field `Cookie` at most.
        if cookies > 1 { headers["Cookie"] = headers["Cookie"] }
        areOtherPartsValid = true
    }
}

extension TransportRequest {
    // Delivers the error of an invalid request. Transports call this, because a wrapper may have changed the request.
    package func validated(orFailing receive: (TransportEvents) -> Void) -> TransportRequest? {
        guard !isURLValid || !areOtherPartsValid else { return self }
        var request = self
        do throws(TransportError) {
            try request.validate()
            return request
        } catch {
            receive(TransportEvents(outcome: TransportOutcome(failure: error)))
            return nil
        }
    }

    /// Whether a transport may send the request again after a part of it was sent and the connection was closed.
    ///
    /// This is allowed if the method is idempotent or the request has an `Idempotency-Key` (RFC 9110, section 9.2.2).
    public var isRepeatable: Bool { method.isIdempotent || headers["Idempotency-Key"] != nil }

    /// Whether content is sent, possibly of length 0: with a body, and for POST, PUT and PATCH without one.
    package var hasContent: Bool {
        if case .none = body { [.post, .put, .patch].contains(method) } else { true }
    }

    package var content: Data? {
        get { if case .data(let data) = body { data } else { nil } }
        set { body = newValue.map { .data($0) } ?? .none }
    }

    /// Releases what a response need not retain: the cookie jar, the context of the call, and content outside memory.
    package mutating func releaseContext() {
        (context, cookieJar) = (nil, nil)
        switch body {
        case .none, .data: break
        case .file, .stream: body = .none
        }
    }

    package mutating func setIfMissing(_ name: String, _ value: @autoclosure () -> String) {
        if headers[name] == nil { headers.add(name, value()) }
    }

    // Applies what redirects have changed in the URL, method, fields and content. Fields that only `last` has are left
    // out, such as `Authorization` after a challenge.
    package func followed(by last: TransportRequest) -> TransportRequest {
        guard last.url != url || last.method != method else { return self }
        var request = self
        request.url = last.url
        request.method = last.method
        var index = HeaderIndex()
        request.headers = last.headers
        request.headers.fields.removeAll { index.firstIndex(of: $0.name, in: headers.fields) == nil }
        request.body = last.body
        return request
    }
}
