#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    struct ProxyTests {
        private func proxy(_ server: LoopbackServer, user: String = "", except: [String] = []) throws -> ProxyPolicy {
            let address = server.url.absoluteString.replacing("//", with: "//" + user)
            return .proxy(try #require(URL(string: address)), except: except)
        }

        private func get(
            _ address: String, by proxy: ProxyPolicy, headers: HTTPHeaders = [:], connectTimeout: Duration? = nil
        ) async throws -> Exchanged {
            let url = try #require(URL(string: address))
            return try await CurlTransport(proxy: proxy).exchange(
                TransportRequest(method: .get, url: url, headers: headers, connectTimeout: connectTimeout))
        }

        @Test("RFC 9112, 3.2.2: a request to a proxy has the absolute URL and the credentials for the proxy")
        func wholeURL() async throws {
            let server = try LoopbackServer { _ in .text("by proxy") }
            defer { server.stop() }
            let result = try await get("http://shop.example/a?b=1", by: proxy(server, user: "me:secret@"))
            expectEqual(result.text, "by proxy")
            let request = try #require(server.requests.first)
            expectEqual(request.target, "http://shop.example/a?b=1")
            expectEqual(request.headers["Host"], "shop.example")
            expectEqual(request.headers["Proxy-Authorization"], "Basic \(Data("me:secret".utf8).base64EncodedString())")
            #expect(request.headers["Authorization"] == nil)
        }

        @Test(
            "a proxy that libcurl would ignore is refused",
            arguments: [
                "http://me:secret%0A@proxy.example:3128", "http://me:%09@proxy.example:3128",
                "https://m%00e:secret@proxy.example:3128",
                "socks5://me:%7F@proxy.example:3128", "http://proxy.example:0", "http://proxy.example:99999",
            ])
        func refused(_ address: String) throws {
            let url = try #require(URL(string: address))
            let error = #expect(throws: TransportError.self) { try CurlTransport(proxy: .proxy(url)) }
            expectEqual(error?.kind, .request)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }

        @Test("so is one of the environment, but not a password that is not encoded")
        func refusedEnvironment() throws {
            for password in ["secret\n", "secret%0a", "%09", "\t"] {
                let environment = ["https_proxy": "http://me:\(password)@proxy.example:3128"]
                let error = #expect(throws: TransportError.self) { try ProxyPolicy.check(environment) }
                #expect(error.map { "\($0)".contains("https_proxy") && !"\($0)".contains("secret") } == true)
            }
            for password in ["50%off", "%FF", "a%20b", "ü"] {
                try ProxyPolicy.check(["ALL_PROXY": "http://me:\(password)@proxy.example:3128"])
            }
        }

        @Test("a proxy's password is not part of an error")
        func passwordOfAnInvalidProxy() throws {
            let url = try #require(URL(string: "https://a.example"))
            let reason = "Unsupported proxy syntax in 'http://me:se cret@proxy.example:1:2'"
            let error = URLError(.cannotConnectToHost, .proxy, url, reason)
            #expect(error.localizedDescription.contains("'http://proxy.example:1:2'"))
            #expect(!"\(error)".contains("se cret"))
        }

        @Test("excepted hosts are reached without the proxy")
        func exceptions() async throws {
            let proxy = try LoopbackServer { _ in .text("by proxy") }
            let server = try LoopbackServer { _ in .text("directly") }
            defer {
                proxy.stop()
                server.stop()
            }
            let address = server.url.absoluteString
            try await expectEqual(get(address, by: self.proxy(proxy)).text, "by proxy")
            try await expectEqual(
                get(address, by: self.proxy(proxy, except: ["a.example", "127.0.0.1"])).text, "directly")
            try await expectEqual(get(address, by: .direct).text, "directly")
            try await expectEqual(get(address, by: self.proxy(proxy, except: ["a.example", "*"])).text, "directly")
            // 7.74 asks the resolver for these names.
            guard Libcurl.loaded != .below788 else { return }
            let other = address.replacing("127.0.0.1", with: "bücher.localhost")
            for name in ["bücher.localhost", ".BÜCHER.localhost"] {
                try await expectEqual(get(other, by: self.proxy(proxy, except: [name])).text, "directly")
            }
        }

        @Test("RFC 9110, 9.3.6: a refused tunnel is a failure to reach the server", arguments: [403, 407, 502])
        func refusedTunnel(_ status: Int) async throws {
            let server = try LoopbackServer { _ in .status(status, body: Data("no".utf8)) }
            defer { server.stop() }
            let result = try await get("https://shop.example/secret", by: proxy(server))
            expectEqual(server.requests.first?.method, .connect)
            expectEqual(server.requests.first?.target, "shop.example:443")
            #expect(result.head == nil)
            expectEqual(MoyaError.underlying(try #require(result.error), nil).kind, .unreachable)
        }

        @Test(
            "a proxy that ends or delays its response to CONNECT is named in the error",
            arguments: TunnelFault.allCases)
        func failingTunnel(_ fault: TunnelFault) async throws {
            let server = try LoopbackServer { _ in fault.reply }
            defer { server.stop() }
            let timeout = fault == .silence ? Duration.seconds(2) : nil
            let result = try await get("https://shop.example/", by: proxy(server), connectTimeout: timeout)
            let error = try #require(result.error)
            expectEqual(server.requests.map(\.target), ["shop.example:443"])
            expectEqual(error.code, timeout == nil ? .cannotConnectToHost : .timedOut)
            let verb = timeout == nil ? "failed" : "timed out"
            #expect(error.localizedDescription.hasPrefix("connecting to shop.example through a proxy \(verb): "))
        }

        @Test("a server that closes an open tunnel is a failure of its TLS handshake, not of the proxy")
        func closedTunnel() async throws {
            let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 Established\r\n\r\n") }
            defer { server.stop() }
            let result = try await get("https://shop.example/", by: proxy(server))
            let error = try #require(result.error)
            expectEqual(MoyaError.underlying(error, nil).kind, .tls)
            #expect(error.localizedDescription.hasPrefix("the TLS handshake with shop.example failed: "))
        }

        @Test(
            "RFC 9110, 11.7.2: a request's own Proxy-Authorization reaches the proxy, instead of its URL's credentials",
            arguments: ["http", "https"], ["", "me:secret@"])
        func ownCredentials(_ scheme: String, _ user: String) async throws {
            let server = try LoopbackServer { _ in .status(403) }
            defer { server.stop() }
            let own: HTTPHeaders = ["Proxy-Authorization": "Bearer own", "Authorization": "Bearer shop"]
            _ = try await get("\(scheme)://shop.example/", by: proxy(server, user: user), headers: own)
            let request = try #require(server.requests.first)
            expectEqual(request.method, scheme == "https" ? .connect : .get)
            let fields = request.headers.fields.filter { $0.name.lowercased() == "proxy-authorization" }
            expectEqual(fields.map(\.value), ["Bearer own"])
            expectEqual(request.headers["Authorization"], scheme == "https" ? nil : "Bearer shop")
        }

        @Test("RFC 9110, 11.7.2: a server that is reached without a proxy receives no Proxy-Authorization")
        func noCredentialsForServers() async throws {
            let server = try LoopbackServer { _ in .text("directly") }
            defer { server.stop() }
            let headers: HTTPHeaders = ["Proxy-Authorization": "Bearer own", "X-Other": "sent"]
            for policy in [.direct, try proxy(server, except: ["127.0.0.1"])] {
                let result = try await get(server.url.absoluteString, by: policy, headers: headers)
                expectEqual(result.text, "directly")
            }
            expectEqual(server.requests.map { $0.headers["Proxy-Authorization"] }, [nil, nil])
            expectEqual(server.requests.map { $0.headers["X-Other"] }, ["sent", "sent"])
        }

        @Test("an unreachable proxy is a failure to reach the server", arguments: ["http", "socks5h", "socks4"])
        func noProxy(_ scheme: String) async throws {
            let server = try LoopbackServer { _ in .closed }
            server.stop()
            let address = server.url.absoluteString.replacing("http:", with: "\(scheme):")
            let result = try await get("http://shop.example", by: .proxy(try #require(URL(string: address))))
            expectEqual(MoyaError.underlying(try #require(result.error), nil).kind, .unreachable)
        }

        @Test(
            "a malformed policy is refused when the transport is created",
            arguments: ["ftp://proxy.example", "proxy.example:8080", "http://", "/proxy", "http://proxy.example"])
        func malformed(_ address: String) throws {
            let url = try #require(URL(string: address))
            let error = #expect(throws: TransportError.self) { try CurlTransport(proxy: .proxy(url)) }
            #expect(error?.localizedDescription.contains("proxy") == true)
        }

        @Test(
            "an exception that is not the name or the address of one host is refused",
            arguments: ["", ".", "a,b", "a b", "*.a", "a:80", "http://a", "10.0.0.0/8"])
        func malformedException(_ exception: String) throws {
            let url = try #require(URL(string: "http://proxy.example:8080"))
            #expect(throws: TransportError.self) { try CurlTransport(proxy: .proxy(url, except: [exception])) }
        }
    }
#endif
