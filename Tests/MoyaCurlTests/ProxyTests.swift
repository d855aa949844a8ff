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

        private func get(_ address: String, by proxy: ProxyPolicy) async throws -> Exchanged {
            let url = try #require(URL(string: address))
            return try await CurlTransport(proxy: proxy).exchange(TransportRequest(method: .get, url: url))
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
            arguments: ["ftp://proxy.example", "proxy.example:8080", "http://", "/proxy"])
        func malformed(_ address: String) throws {
            let url = try #require(URL(string: address))
            let error = #expect(throws: TransportError.self) { try CurlTransport(proxy: .proxy(url)) }
            #expect(error?.localizedDescription.contains("proxy") == true)
        }

        @Test("an exception with a comma is refused, because it would be two", arguments: ["", "a,b", "a b"])
        func malformedException(_ exception: String) throws {
            let url = try #require(URL(string: "http://proxy.example:8080"))
            #expect(throws: TransportError.self) { try CurlTransport(proxy: .proxy(url, except: [exception])) }
        }
    }
#endif
