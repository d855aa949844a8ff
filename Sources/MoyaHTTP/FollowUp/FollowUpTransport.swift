#if !canImport(FoundationNetworking)
    public import Foundation
#endif

/// A transport that wraps another transport, follows redirects, responds to challenges and stores cookies.
///
/// Use this type to send a ``TransportRequest`` without a provider. A provider does not need this type: it follows
/// redirects, responds to challenges and stores cookies with its own options and those of the target.
///
/// ```swift
/// let transport = FollowUpTransport(above: URLSessionTransport.shared, cookies: CookieJar())
/// ```
/// Events are delivered on the threads of the wrapped transport. Cancelling an exchange cancels its current request.
public struct FollowUpTransport: Transport, TransportDecorator {
    package var transport: any Transport
    private let redirects: RedirectPolicy
    private let cookies: CookieJar?
    private let credential: URLCredential?
    private let nonces = NonceCounts()

    /// Creates a transport that wraps another transport.
    ///
    /// - Parameters:
    ///   - transport: the transport that sends the requests.
    ///   - redirects: the policy for redirects.
    ///   - cookies: the jar that provides the cookies of requests and stores the cookies of responses. The jar is not
    ///     used for a request that has a `Cookie` field. A stored cookie that is not a valid field value, for example
    ///     with a line break, fails the exchange.
    ///   - credential: the credential for challenges of the schemes Basic and Digest. The credential is sent only to
    ///     the origin of the first request.
    public init(
        above transport: any Transport, redirects: RedirectPolicy = .follow, cookies: CookieJar? = nil,
        credential: URLCredential? = nil
    ) {
        self.transport = transport
        self.redirects = redirects
        self.cookies = cookies
        self.credential = credential
    }

    /// The capabilities of the wrapped transport.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Starts an exchange; `receive` gets only the final response, after all redirects and challenges.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        guard var request = request.validated(orFailing: receive) else { return EndedExchange() }
        let jar = request.headers["Cookie"] == nil ? cookies : nil
        request.cookieJar = jar
        if let field = jar?.field(for: request.url) { request.headers.replace("Cookie", with: field) }
        if let error = request.validateAddedFields() {
            receive(TransportEvents(outcome: TransportOutcome(error: error)))
            return EndedExchange()
        }
        let policy = FollowUpPolicy(
            redirects: redirects, cookies: jar,
            responder: ChallengeResponder(credential, for: request.url, nonces: nonces))
        let exchange = FollowUpExchange(request, on: transport, policy: policy, receive: receive)
        exchange.start()
        return exchange
    }
}
