import Foundation

#if canImport(Network)
    import Network

    extension ProxyPolicy {
        // `environment` keeps the system's proxies. An excluded domain also excludes its subdomains.
        func apply(to configuration: URLSessionConfiguration) throws(TransportError) {
            switch try validated() {
            case .environment: break
            case .direct:
                configuration.connectionProxyDictionary = [:]
                configuration.proxyConfigurations = []
            case .proxy(let url, let exceptions):
                var proxy = try Self.systemProxy(url)
                proxy.excludedDomains = exceptions.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
                if let user = url.user(percentEncoded: false) {
                    proxy.applyCredential(username: user, password: url.password(percentEncoded: false) ?? "")
                }
                configuration.proxyConfigurations = [proxy]
            }
        }

        private static func systemProxy(_ url: URL) throws(TransportError) -> ProxyConfiguration {
            guard let host = url.host(percentEncoded: false),
                let port = url.port.flatMap(UInt16.init(exactly:)).flatMap(NWEndpoint.Port.init(rawValue:))
            else { throw .invalid("a proxy's URL needs a host and a valid port") }
            let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(host), port: port)
            switch url.scheme?.lowercased() {
            case "http": return ProxyConfiguration(httpCONNECTProxy: endpoint)
            case "https": return ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: NWProtocolTLS.Options())
            case "socks5", "socks5h": return ProxyConfiguration(socksv5Proxy: endpoint)
            default:
                throw .invalid("URLSession does not support SOCKS 4. Give the URL of the proxy the scheme socks5.")
            }
        }
    }
#else

    extension ProxyPolicy {
        /// URLSession on Linux reads the environment, and its other settings have no effect.
        func apply(to configuration: URLSessionConfiguration) throws(TransportError) {
            guard try validated() == .environment else {
                throw .invalid(
                    "URLSession on Linux supports the proxies of the environment only. Use CurlTransport(proxy:).")
            }
        }
    }
#endif
