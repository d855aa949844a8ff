public import Foundation

/// The proxy that a transport uses to reach servers.
///
/// ```swift
/// let proxy = ProxyPolicy.proxy(URL(string: "http://proxy.example:3128")!, except: ["localhost", ".internal.example"])
/// let provider = MoyaProvider<Shop>(transport: try CurlTransport(proxy: proxy))
/// ```
/// For a request to an https URL, the transport opens a tunnel through the proxy (CONNECT; RFC 9110, section 9.3.6).
/// The proxy cannot read the request and the response in the tunnel. If the proxy refuses to open the tunnel, the
/// exchange fails with an error of the kind `unreachable`.
public enum ProxyPolicy: Sendable, Hashable {
    /// The proxies of the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    /// No proxy; the environment is ignored.
    case direct
    /// One proxy, except for some hosts.
    ///
    /// The URL has a port, and also a user and a password if the proxy requires them; only Basic is supported. Its
    /// scheme is http, https, socks4, socks4a, socks5 or socks5h. With socks4a and socks5h, the proxy resolves host
    /// names. With https, the ``ServerTrustPolicy`` of the transport also applies to the proxy, with the pins of its
    /// host; the pins do not apply to a proxy of the environment.
    ///
    /// `except` contains the hosts that are reached without the proxy. Each element is an address or a host name. A
    /// name such as `internal.example`, with or without a leading dot, also matches its subdomains, and `*` all hosts.
    case proxy(URL, except: [String] = [])

    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Returns this policy in its simplest form; throws if it is not valid.
    package func validated() throws(TransportError) -> ProxyPolicy {
        guard case .proxy(let url, let exceptions) = self else {
            if self == .environment { try Self.check(ProcessInfo.processInfo.environment) }
            return self
        }
        guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            throw .invalid(
                "a proxy's URL needs one of the schemes \(Self.schemes.sorted().joined(separator: ", "))")
        }
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw .invalid("a proxy's URL needs a host")
        }
        guard let port = url.port, (1...65_535).contains(port) else {
            throw .invalid("a proxy's URL needs a port from 1 to 65535, such as http://proxy.example:3128")
        }
        try Self.check(
            "\(url.user(percentEncoded: true) ?? ""):\(url.password(percentEncoded: true) ?? "")", "of a proxy's URL")
        for exception in exceptions where exception != "*" {
            let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
            guard name.canonicalHost == nil || name.contains(where: { ", ".contains($0) }) else { continue }
            throw .invalid(
                "\(exception.debugDescription) is not the name of one host that is reached without the proxy. Use one string "
                    + "for each host, without a scheme, a port, wildcards and ranges of addresses.")
        }
        return exceptions.contains("*") ? .direct : self
    }

    package static func check(_ environment: [String: String]) throws(TransportError) {
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            guard let value = environment[name], let at = value.lastIndex(of: "@") else { continue }
            try check(String(value[..<at]), "in the environment variable \(name)")
        }
    }

    /// Throws an error for a control character, percent-encoded or not, because libcurl would ignore the proxy.
    private static func check(_ credential: String, _ place: String) throws(TransportError) {
        guard
            credential.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
                || credential.contains(/%([01][0-9A-Fa-f]|7[Ff])/.matchingSemantics(.unicodeScalar))
        else { return }
        throw .invalid(
            "the user or the password \(place) contains a control character. Remove a line break at its end, for "
                + "example.")
    }
}

extension ProxyPolicy: CustomStringConvertible {
    /// The case, with the URL of a proxy without user and password.
    public var description: String {
        switch self {
        case .environment: "environment"
        case .direct: "direct"
        case .proxy(let url, let exceptions):
            "proxy \(url.withoutSecrets?.absoluteString ?? "")" + (exceptions.isEmpty ? "" : " except \(exceptions)")
        }
    }
}
