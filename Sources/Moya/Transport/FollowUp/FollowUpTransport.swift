#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Follows redirects, responds to challenges and stores cookies, above another transport.
///
/// A provider puts one above its transport for each request, with the provider's and the target's options. Use it yourself where
/// you send a ``TransportRequest`` without a provider:
///
/// ```swift
/// let transport = FollowUpTransport(above: URLSessionTransport.shared, cookies: CookieJar())
/// ```
/// It runs on the threads of the transport below and has none of its own. A cancel reaches the request that is running.
public struct FollowUpTransport: Transport {
    private let transport: any Transport
    private let redirects: RedirectPolicy
    private let cookies: CookieJar?
    private let credential: URLCredential?
    private let nonces = NonceCounts()

    /// A transport above another one.
    ///
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - redirects: what is done about redirects.
    ///   - cookies: the jar whose cookies are sent, to requests without a `Cookie` field, and that stores new ones.
    ///   - credential: responds to challenges of the schemes Basic and Digest, of the origin of the first request only.
    public init(
        above transport: any Transport, redirects: RedirectPolicy = .follow, cookies: CookieJar? = nil,
        credential: URLCredential? = nil
    ) {
        self.transport = transport
        self.redirects = redirects
        self.cookies = cookies
        self.credential = credential
    }

    /// The capabilities of the transport below.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Starts an exchange; the receiver sees the last response alone.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        var request = request
        let jar = request.headers["Cookie"] == nil ? cookies : nil
        request.headers["Cookie"] = jar?.field(for: request.url) ?? request.headers["Cookie"]
        let policy = FollowUpPolicy(
            redirects: redirects, cookies: jar,
            responder: ChallengeResponder(credential, for: request.url, nonces: nonces), resumed: nil)
        let exchange = FollowUpExchange(request, on: transport, policy: policy, willFollowUp: nil, receive: receive)
        exchange.start()
        return exchange
    }
}
