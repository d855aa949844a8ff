#if os(Linux)
    import CMoyaCurl
    import Foundation

    package struct CurlSettings: Sendable {
        let library: CurlCapabilities
        let trust: CurlTrust
        /// The maximum number of connections to one origin, over all event loops; 1 or more.
        let connectionsPerHost: Int
        /// The number of event loops; 1 or more.
        let threads: Int
        /// The first event loop gets all new transfers as long as it has fewer transfers than this number.
        let firstLoopThreshold: Int
        private let proxy: ProxyPolicy

        /// The maximum number of connections that stay open for later requests, over all event loops.
        static let maximumConnections = 512
        private static let maximumThreads = 64

        static func defaultThreads(cores: Int) -> Int { min(max(cores / 2, 1), 8) }

        package init(
            _ library: CurlCapabilities, _ trust: ServerTrustPolicy, _ proxy: ProxyPolicy, connectionsPerHost: Int,
            threads: Int = 1, firstLoopThreshold: Int = 16
        ) throws(TransportError) {
            self.library = library
            self.trust = try CurlTrust(trust)
            self.proxy = try proxy.validated()
            guard connectionsPerHost > 0 else {
                throw .invalid("connectionsPerHost is \(connectionsPerHost). Use 1 or more.")
            }
            self.connectionsPerHost = connectionsPerHost
            guard (1...Self.maximumThreads).contains(threads) else {
                throw .invalid("threads is \(threads). Use 1 to \(Self.maximumThreads).")
            }
            self.threads = threads
            self.firstLoopThreshold = firstLoopThreshold
            if case .proxy(let url, _) = self.proxy, url.isSecure, !library.hasSecureProxies {
                throw .invalid("this libcurl cannot connect to a proxy with TLS. Give its URL another scheme.")
            }
            guard let easy = EasyHandle(), apply(to: easy) else {
                throw .invalid("this libcurl does not accept the proxy")
            }
        }

        /// Returns whether libcurl accepts the trust policy and the proxy.
        func apply(to easy: EasyHandle) -> Bool {
            easy.set(CCURLOPT_NOSIGNAL, 1)
            easy.set(CCURLOPT_NOPROGRESS, 1)
            easy.set(CCURLOPT_FOLLOWLOCATION, 0)
            easy.set(CCURLOPT_PATH_AS_IS, 1)
            easy.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            easy.set(CCURLOPT_HTTP09_ALLOWED, 0)
            easy.set(CCURLOPT_PIPEWAIT, 1)
            easy.set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP_HTTPS)
            if library.hasQuickExit { easy.set(CCURLOPT_QUICK_EXIT, 1) }
            let acceptsTrust = trust.apply(to: easy)
            let acceptsProxy =
                switch proxy {
                case .environment: true
                case .direct: easy.set(CCURLOPT_PROXY, "")
                case .proxy(let url, let exceptions):
                    easy.set(CCURLOPT_PROXY, url.absoluteString)
                        && easy.set(CCURLOPT_NOPROXY, exceptions.map(\.asException).joined(separator: ","))
                }
            guard acceptsProxy, acceptsTrust else { return false }
            guard library.hasSecureProxies, proxy != .direct else { return true }
            // The host of a proxy of the environment is not known.
            return trust.apply(to: easy, forProxy: true)
                && proxyHost.map { trust.pin(easy, for: $0, CCURLOPT_PROXY_PINNEDPUBLICKEY) } ?? true
        }

        private var proxyHost: String? {
            if case .proxy(let url, _) = proxy { url.host(percentEncoded: false) } else { nil }
        }

        /// Whether a proxy may be asked for a tunnel; a SOCKS proxy is not, but one of the environment is not known.
        var mayUseTunnel: Bool {
            switch proxy {
            case .direct: false
            case .environment: true
            case .proxy(let url, _): url.scheme?.lowercased().hasPrefix("http") == true
            }
        }

        func pinMismatch(at url: URL, _ easy: EasyHandle) -> URLError {
            // The key of a proxy is compared before its tunnel is open.
            let isInTunnel = easy.number(CCURLINFO_HTTP_CONNECTCODE) / 100 == 2
            return trust.policy.pinMismatch(at: isInTunnel ? url : pinnedProxy(for: url) ?? url)
        }

        /// The proxy with TLS that is used for a URL, and whose host has pins.
        private func pinnedProxy(for url: URL) -> URL? {
            guard case .proxy(let proxy, let exceptions) = proxy, proxy.isSecure, let proxyHost,
                trust.policy.pins(for: proxyHost) != nil
            else { return nil }
            let host = "." + (url.host(percentEncoded: false) ?? "").lowercased()
            let isExcepted = exceptions.contains { exception in
                let name = exception.asException
                return host.hasSuffix(name.hasPrefix(".") ? name : ".\(name)")
            }
            return isExcepted ? nil : proxy
        }
    }

    extension String {
        /// The name of a host as libcurl compares it: without brackets, and an internationalized name in ASCII.
        fileprivate var asException: String {
            guard !hasPrefix(".") else { return "." + String(dropFirst()).asException }
            return canonicalHost ?? lowercased()
        }
    }
#endif
