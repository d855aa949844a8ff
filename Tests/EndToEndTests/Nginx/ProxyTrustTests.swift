import TestSupport

#if os(Linux)
    import Foundation
    import MoyaStreams
    import MoyaTesting
    import Testing

    /// Trust policies with proxies that use TLS, and the header fields for proxies.
    ///
    /// nginx is the proxy of requests without a tunnel, because it responds to absolute URLs, too.
    @Suite(.enabled(if: address("MOYA_TLS_GOOD") != nil), .queued, .timeLimit(.minutes(10)))
    struct ProxyTrustTests {
        private let wrongPin = Data(repeating: 7, count: 32).base64EncodedString()

        private func pin() throws -> String {
            String(decoding: try tlsFile("pin.txt"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func policy() throws -> ServerTrustPolicy { ServerTrustPolicy(authorities: [try tlsFile("ca.pem")]) }

        private func get(
            _ url: String, by proxy: URL?, _ trust: ServerTrustPolicy, headers: HTTPHeaders = [:]
        ) async throws -> Exchanged {
            let transport = try CurlTransport(trust: trust, proxy: .proxy(try #require(proxy)), threads: 1)
            let request = try TransportRequest(method: .get, url: try #require(URL(string: url)), headers: headers)
            return try await transport.exchange(request)
        }

        /// Returns the status code of a response, or the kind of an error, which must name the proxy.
        private func outcome(_ proxy: String, _ trust: ServerTrustPolicy, url: String = "http://shop.example/zen.txt")
            async throws -> String
        {
            let result = try await get(url, by: address(proxy), trust)
            guard let error = result.error else { return "\(result.head?.statusCode ?? 0)" }
            let text = error.localizedDescription
            #expect(text.hasPrefix("connecting to shop.example through a proxy failed: "), "\(text)")
            return "\(MoyaError.underlying(error, nil).kind)"
        }

        @Test("a proxy's certificate must be of a trusted authority, for its host, and valid")
        func authorities() async throws {
            var alone = try policy()
            alone.trustsSystemAuthorities = false
            for trust in [try policy(), alone] {
                try await expectEqual(outcome("MOYA_TLS_GOOD", trust), "200")
                try await expectEqual(outcome("MOYA_TLS_EXPIRED", trust), "tls")
                try await expectEqual(outcome("MOYA_TLS_OTHER", trust), "tls")
                try await expectEqual(outcome("MOYA_HTTPS", trust), "tls")
            }
            try await expectEqual(outcome("MOYA_TLS_GOOD", .system), "tls")
        }

        @Test("the trust policy also applies to the proxy of a tunnel")
        func tunnels() async throws {
            let url = "https://shop.example/zen.txt"
            // The handshake with the proxy succeeds, but nginx opens no tunnels.
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy(), url: url), "unreachable")
            try await expectEqual(outcome("MOYA_TLS_GOOD", .system, url: url), "tls")
            try await expectEqual(outcome("MOYA_TLS_OTHER", policy(), url: url), "tls")
        }

        @Test("a proxy's certificate must match one of the pins of the proxy's host", arguments: ["http", "https"])
        func pins(_ scheme: String) async throws {
            let url = "\(scheme)://shop.example/zen.txt"
            var policy = try policy()
            policy.pins = ["localhost": [wrongPin]]
            let result = try await get(url, by: address("MOYA_TLS_GOOD"), policy)
            let error = try #require(result.error)
            expectEqual(MoyaError.underlying(error, nil).kind, .tls)
            #expect(error.localizedDescription.contains("none of the pins of localhost (\(wrongPin)). Someone"))
            for pins in [["localhost": [wrongPin, try pin()]], ["elsewhere.example": [wrongPin]]] as [[String: Set]] {
                policy.pins = pins
                let reached = scheme == "https" ? "unreachable" : "200"
                try await expectEqual(outcome("MOYA_TLS_GOOD", policy, url: url), reached)
            }
        }

        @Test("a version of TLS below the minimum of the policy is rejected at a proxy")
        func versions() async throws {
            var policy = try policy()
            try await expectEqual(outcome("MOYA_TLS_OLD", policy), "200")
            policy.minimumTLSVersion = .tls13
            try await expectEqual(outcome("MOYA_TLS_OLD", policy), "tls")
            try await expectEqual(outcome("MOYA_TLS_OLD", policy, url: "https://shop.example/"), "tls")
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "200")
        }

        @Test("a client certificate is sent to a proxy that requests one")
        func identity() async throws {
            var policy = try policy()
            try await expectEqual(outcome("MOYA_TLS_CLIENT", policy), "400")
            policy.identity = ServerTrustPolicy.ClientIdentity(
                certificates: try tlsFile("client.pem"), privateKey: try tlsFile("client.key"))
            try await expectEqual(outcome("MOYA_TLS_CLIENT", policy), "200")
        }

        @Test("RFC 9110, 11.7.2: the proxy of a tunnel receives Proxy-Authorization, and the server does not")
        func credentials() async throws {
            let server = try #require(address("MOYA_TLS_GOOD"))
            let port = UInt16(try #require(server.port))
            let proxy = try LoopbackServer { _ in
                LoopbackReply([.send(LoopbackReply.head(200, [:])), .run { relay($0, toPort: port) }, .close])
            }
            defer { proxy.stop() }
            let own: HTTPHeaders = ["Proxy-Authorization": "Bearer own", "Authorization": "Bearer shop"]
            let result = try await get("\(server)/zen.txt", by: proxy.url, policy(), headers: own)
            expectEqual(result.head?.statusCode, 200)
            expectEqual(proxy.requests.map { $0.headers["Proxy-Authorization"] }, ["Bearer own"])
            expectEqual(proxy.requests.map { $0.headers["Authorization"] }, [nil])
            expectEqual(result.head?.headers["X-Authorization"], "Bearer shop")
            #expect(result.head?.headers["X-Proxy-Authorization"] == nil)
        }
    }

    /// Connects to a port of this machine, and copies the bytes of both connections until one of them ends.
    private func relay(_ client: LoopbackConnection, toPort port: UInt16) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe _ = connect(server, $0, size) }
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if !client.isQuiet(for: .milliseconds(1)) {
                guard let bytes = client.read() else { return }
                unsafe bytes.withUnsafeBytes {
                    unsafe _ = send(server, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            }
            let count = unsafe recv(server, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN { return }
            if count > 0 { client.write(Data(buffer.prefix(count))) }
        }
    }
#endif
