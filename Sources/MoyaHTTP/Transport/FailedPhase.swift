package import Foundation

package enum FailedPhase: Sendable, Hashable {
    case resolving
    case connecting
    case tlsHandshake
    /// The comparison of the server's key with the pins of its host, in the TLS handshake.
    case pinning
    case proxy
    case waitingForResponse
    case receiving

    // `nil` if the code doesn't belong to a phase. `reason` is Foundation's or libcurl's message, which may name it.
    package init?(_ code: URLError.Code, _ reason: String, hasHead: Bool) {
        switch code {
        case _ where reason.localizedCaseInsensitiveContains("proxy") || reason.contains("CONNECT"): self = .proxy
        case .cannotFindHost, .dnsLookupFailed: self = .resolving
        case .cannotConnectToHost: self = .connecting
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .tlsHandshake
        case .timedOut where reason.localizedCaseInsensitiveContains("resolv"): self = .resolving
        case .timedOut where reason.localizedCaseInsensitiveContains("connect"): self = .connecting
        case .timedOut, .networkConnectionLost, .badServerResponse, .cannotParseResponse:
            self = hasHead ? .receiving : .waitingForResponse
        default: return nil
        }
    }

    fileprivate func title(_ host: String) -> String {
        switch self {
        case .resolving: "resolving the host name \(host)"
        case .connecting: "connecting to \(host)"
        case .tlsHandshake, .pinning: "the TLS handshake with \(host)"
        case .proxy: "connecting to \(host) through a proxy"
        case .waitingForResponse: "waiting for the response of \(host)"
        case .receiving: "receiving the response of \(host)"
        }
    }

    #if os(Linux)
        private static let identity = "ServerTrustPolicy.identity"
    #else
        private static let identity = "the clientCertificate of URLSessionTransport"
    #endif

    fileprivate func remedy(_ code: URLError.Code) -> String {
        switch (self, code) {
        case (.resolving, .timedOut): "Check the name servers of this machine, or raise Timeouts.connect."
        case (.resolving, _): "Check the spelling of the host, and the name servers of this machine."
        case (.connecting, .timedOut): "Check the port, and the firewalls in between, or raise Timeouts.connect."
        case (.connecting, _): "Check that the server, or the proxy in between, accepts connections on this port."
        case (.tlsHandshake, .clientCertificateRejected), (.tlsHandshake, .clientCertificateRequired):
            "Set \(Self.identity) to a certificate that the server accepts."
        case (.tlsHandshake, .secureConnectionFailed):
            "Check that the port speaks TLS, in a version that ServerTrustPolicy.minimumTLSVersion allows, and whether "
                + "the server asks for a certificate (\(Self.identity))."
        case (.tlsHandshake, .timedOut): "Check that the port speaks TLS, or raise Timeouts.connect."
        case (.tlsHandshake, _):
            "Use a host name that the certificate of the server has, renew the certificate, or trust its issuer with "
                + "ServerTrustPolicy.authorities."
        case (.pinning, _):
            "Someone may be intercepting the connection. If the server's key has changed, update ServerTrustPolicy.pins."
        case (.proxy, _): "Check the address, the credentials and the rules of the proxy, see ProxyPolicy."
        case (_, .timedOut): "Raise Timeouts.idle or Timeouts.total, or check why the server is slow."
        case (_, .badServerResponse), (_, .cannotParseResponse):
            "Correct the server, or the proxy in between: its response is not valid HTTP."
        case (_, .dataLengthExceedsMaximum): "Make the server send fewer or shorter header fields."
        case (.waitingForResponse, _): "Check the log of the server, and send the request again if it may be repeated."
        case (.receiving, _): "Check the log of the server, and send the request again, or request the missing range."
        }
    }
}

extension URLError {
    // Names the host, the phase and a remedy, not the rest of the URL. `reason`: Foundation's or libcurl's message.
    package init(_ code: Code, _ phase: FailedPhase, _ url: URL, _ reason: String, underlying: (any Error)? = nil) {
        // libcurl repeats the URL of a proxy that it cannot read.
        var reason = reason.replacing(/\/\/[^\/]*@/, with: "//")
        while reason.last?.isWhitespace == true || reason.last == "." { reason.removeLast() }
        let verb = code == .timedOut ? "timed out" : "failed"
        let title = phase.title(url.hostAndPort)
        let remedy = phase.remedy(code)
        let text = "\(title) \(verb)\(reason.isEmpty ? "" : ": \(reason)"). \(remedy)"
        self.init(code, text, remedy: remedy, url: url, underlying: underlying)
    }
}
