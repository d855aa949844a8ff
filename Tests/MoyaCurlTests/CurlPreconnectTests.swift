#if os(Linux)
    import Foundation
    import MoyaTesting
    import TestSupport
    import Testing

    import Moya
    @testable import MoyaCurl

    @Suite(.queued, .timeLimit(.minutes(10))) struct CurlPreconnectTests {
        @Test("a later request reuses a connection that was opened in advance", arguments: [1, 4])
        func reuse(_ threads: Int) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport(threads: threads)
            try transport.preconnect(to: server.url)
            try await until { server.connectionCount == 1 && server.requests.count == 1 }
            let result = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            #expect(result.error == nil)
            #expect(result.outcomes.first?.metrics.isReusedConnection == true)
            expectEqual(server.connectionCount, 1)
            expectEqual(server.requests.map(\.method), [.head, .get])
        }

        @Test("each call opens new connections, and concurrent requests use all of them")
        func several() async throws {
            let isOpen = Box(false)
            let server = try LoopbackServer { request in
                guard request.method == .get else { return .echo(request) }
                return LoopbackReply([.waitUntil { isOpen.value }, .respond(status: 200, headers: [:], body: Data())])
            }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 3)
            try transport.preconnect(to: server.url)
            try await until { server.requests.count == 1 }
            // With the two new connections, the limit is reached.
            try transport.preconnect(to: server.url, connections: 2)
            try await until { server.requests.count == 3 && server.connectionCount == 3 }
            let request = try TransportRequest(method: .get, url: server.url)
            let exchanges = (0..<3).map { _ in Exchanging(request, on: transport) }
            try await until { server.requests.count == 6 }
            expectEqual(server.connectionCount, 3)
            isOpen.value = true
            for exchange in exchanges {
                #expect(try await exchange.finished().outcomes.first?.metrics.isReusedConnection == true)
            }
        }

        @Test("only scheme, host and port of the URL are used")
        func request() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let port = try #require(server.url.port)
            let url = try #require(URL(string: "http://ann:secret@127.0.0.1:\(port)/a/b?token=secret#c"))
            try CurlTransport().preconnect(to: url)
            try await until { server.requests.count == 1 }
            let request = try #require(server.requests.first)
            expectEqual(request.target, "/")
            #expect(request.headers["Authorization"] == nil)
        }

        @Test("an unreachable server is not an error, and the next request reports it")
        func unreachable() async throws {
            let server = try LoopbackServer { .echo($0) }
            server.stop()
            let transport = try CurlTransport()
            try transport.preconnect(to: server.url, connections: 5)
            let result = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            expectEqual(result.error?.code, .cannotConnectToHost)
        }

        @Test("a URL to which no connection can be made is refused", arguments: ["ftp://a.example", "/path", "http:"])
        func refused(_ address: String) throws {
            let url = try #require(URL(string: address))
            #expect(throws: TransportError.self) { try CurlTransport().preconnect(to: url) }
        }

        @Test("zero or a negative number of connections opens none", arguments: [0, -1])
        func none(_ connections: Int) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport()
            try transport.preconnect(to: server.url, connections: connections)
            #expect(try await transport.exchange(TransportRequest(method: .get, url: server.url)).error == nil)
            expectEqual(server.requests.map(\.method), [.get])
        }

        @Test("no connection is opened after a shutdown")
        func shutdown() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport()
            transport.shutdown()
            try transport.preconnect(to: server.url)
            _ = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            #expect(server.requests.isEmpty)
        }
    }
#endif
