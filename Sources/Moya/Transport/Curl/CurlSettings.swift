#if os(Linux)
    import CCurl
    import Foundation

    /// What all transfers of an engine have in common.
    struct CurlSettings: Sendable {
        let library: CurlLibrary
        let trust: CurlTrust
        /// The codings of content that are decoded.
        let contentCodings: Set<Substring>
        /// How many at most; 1 or more.
        let connectionsPerHost: Int
        private let proxy: ProxyPolicy

        /// Refuses what the loaded libcurl cannot do.
        init(
            _ library: CurlLibrary, _ trust: ServerTrustPolicy, _ proxy: ProxyPolicy, connectionsPerHost: Int
        ) throws(MoyaError) {
            self.library = library
            contentCodings = library.contentCodings
            self.trust = try CurlTrust(trust)
            try proxy.validate()
            self.proxy = proxy
            guard connectionsPerHost > 0 else {
                throw .requestMapping("an engine needs a connection: let connectionsPerHost be 1 or more")
            }
            self.connectionsPerHost = connectionsPerHost
            if case .proxy(let url, _) = proxy, url.scheme?.lowercased() == "https", !library.hasSecureProxies {
                throw .requestMapping("this libcurl reaches no proxy by TLS: give its URL another scheme")
            }
            guard let easy = EasyHandle(), apply(to: easy) else {
                throw .requestMapping("this libcurl does not take the proxy")
            }
        }

        /// Sets what is the same for all transfers; whether libcurl takes trust and proxy.
        func apply(to easy: EasyHandle) -> Bool {
            easy.set(CCURLOPT_NOSIGNAL, 1)
            easy.set(CCURLOPT_NOPROGRESS, 1)
            easy.set(CCURLOPT_FOLLOWLOCATION, 0)
            easy.set(CCURLOPT_PATH_AS_IS, 1)
            easy.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            easy.set(CCURLOPT_HTTP09_ALLOWED, 0)
            easy.set(CCURLOPT_PIPEWAIT, 1)
            if library.hasProtocolNames {
                easy.set(CCURLOPT_PROTOCOLS_STR, "http,https")
            } else {
                easy.set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP_HTTPS)
            }
            if library.hasQuickExit { easy.set(CCURLOPT_QUICK_EXIT, 1) }
            let isTrustKept = trust.apply(to: easy)
            return setProxy(of: easy) && isTrustKept
        }

        private func setProxy(of easy: EasyHandle) -> Bool {
            switch proxy {
            case .environment: true
            case .direct: easy.setIfKnown(CCURLOPT_PROXY, "")
            case .proxy(let url, let exceptions):
                easy.setIfKnown(CCURLOPT_PROXY, url.absoluteString)
                    && easy.setIfKnown(CCURLOPT_NOPROXY, exceptions.joined(separator: ","))
            }
        }
    }
#endif
