public import Foundation

/// By way of which proxy an engine reaches servers.
///
/// ```swift
/// let proxy = ProxyPolicy.proxy(URL(string: "http://proxy.example:3128")!, except: ["localhost", ".internal.example"])
/// let provider = MoyaProvider<Shop>(transport: try CurlTransport(proxy: proxy))
/// ```
/// Servers of the scheme https are reached through a tunnel (CONNECT; RFC 9110, 9.3.6): the proxy does not see what is said. A
/// proxy that refuses a tunnel is a failure of the kind `unreachable`.
public enum ProxyPolicy: Sendable, Hashable {
    /// As the environment says: by `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    /// None, whatever the environment says.
    case direct
    /// This one, except for some hosts.
    ///
    /// Its URL has the scheme http, https, socks4, socks4a, socks5 or socks5h (by socks4a and socks5h the proxy looks names
    /// up), a port, and a user and password if it asks for them. An exception is a name, or an address; with a dot before it,
    /// a name stands for those below it.
    case proxy(URL, except: [String] = [])

    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Refuses what is malformed: the requests would go another way than was wanted.
    func validate() throws(MoyaError) {
        guard case .proxy(let url, let exceptions) = self else { return }
        guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            throw .requestMapping(
                "a proxy's URL needs one of the schemes \(Self.schemes.sorted().joined(separator: ", "))")
        }
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw .requestMapping("a proxy's URL needs a host")
        }
        for exception in exceptions where exception.isEmpty || exception.contains(where: { ", ".contains($0) }) {
            throw .requestMapping(
                "\(exception.debugDescription) is no host that is reached without the proxy: give one in each string")
        }
    }
}
