#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.queued, .timeLimit(.minutes(10))) struct CurlConnectionLimitTests {
        private func request(_ server: LoopbackServer, _ path: String) throws -> TransportRequest {
            try TransportRequest(method: .get, url: server.url.appending(path: path))
        }

        @Test("requests above the limit of connections wait, and are sent in order")
        func order() async throws {
            let isOpen = Box(false)
            let server = try LoopbackServer { request in
                LoopbackReply([
                    .waitUntil { isOpen.value }, .respond(status: 200, headers: [:], body: Data(request.path.utf8)),
                ])
            }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 1)
            let exchanges = try (0..<20).map { Exchanging(try request(server, "\($0)"), on: transport) }
            try await until { server.requests.count == 1 }
            isOpen.value = true
            for (number, exchange) in exchanges.enumerated() {
                try await expectEqual(exchange.finished().text, "/\(number)")
            }
            expectEqual(server.requests.map(\.path), (0..<20).map { "/\($0)" })
            expectEqual(server.connectionCount, 1)
        }

        @Test(
            "a request that has waited for its connection reports when it is sent, so that its idle time begins again",
            .enabled(if: Libcurl.loaded != .below788, "versions below 7.80 do not report it"))
        func activity() async throws {
            let waits = Box(true)
            let isReported = Promise<Void>()
            let server = try LoopbackServer { request in
                LoopbackReply([
                    .waitUntil { request.path == "/1" ? !waits.value : isReported.isFulfilled },
                    .respond(status: 200, headers: [:], body: Data()),
                ])
            }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 1)
            let first = Exchanging(try request(server, "1"), on: transport)
            try await until { server.requests.count == 1 }
            let ended = Promise<Void>()
            _ = transport.start(try request(server, "2")) { events in
                if events.head == nil { isReported.fulfill(()) }
                if events.outcome != nil { ended.fulfill(()) }
            }
            let start = MonotonicTime.now
            try await until { MonotonicTime.now - start > .milliseconds(2) }
            waits.value = false
            #expect(try await first.finished().error == nil)
            try await ended.value()
        }

        @Test("a cancelled waiting request ends immediately and is not sent; requests to other servers do not wait")
        func cancel() async throws {
            let isOpen = Box(false)
            let server = try LoopbackServer { _ in
                LoopbackReply([.waitUntil { isOpen.value }, .respond(status: 200, headers: [:], body: Data())])
            }
            let other = try LoopbackServer { .echo($0) }
            defer {
                server.stop()
                other.stop()
            }
            let transport = try CurlTransport(connectionsPerHost: 2)
            let exchanges = try (0..<5).map { Exchanging(try request(server, "\($0)"), on: transport) }
            try await until { server.requests.count == 2 }
            exchanges[3].cancel()
            let cancelled = try await exchanges[3].finished()
            expectEqual(cancelled.error?.code, .cancelled)
            expectEqual(cancelled.outcomes.count, 1)
            #expect(try await transport.exchange(request(other, "x")).error == nil)
            expectEqual(server.requests.count, 2)
            isOpen.value = true
            for number in [0, 1, 2, 4] { #expect(try await exchanges[number].finished().error == nil) }
            expectEqual(Set(server.requests.map(\.path)), ["/0", "/1", "/2", "/4"])
        }

        @Test("the thread of the transport delivers the error of a cancelled waiting request")
        func deliveringThread() async throws {
            let server = try LoopbackServer { _ in .silence }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 1, threads: 1)
            let threads = Box<Set<ObjectIdentifier>>([])
            let ended = (0..<2).map { _ in Promise<Void>() }
            let exchanges = try (0..<2).map { number in
                transport.start(try request(server, "\(number)")) { events in
                    guard events.outcome != nil else { return }
                    threads.change { _ = $0.insert(ObjectIdentifier(Thread.current)) }
                    ended[number].fulfill(())
                }
            }
            try await until { server.requests.count == 1 }
            for number in [1, 0] {
                exchanges[number].cancel()
                try await ended[number].value()
            }
            expectEqual(threads.value.count, 1)
        }

        @Test("a cancelled waiting request is released immediately, with the closures and the content that it holds")
        func release() async throws {
            final class Witness: Sendable {
                let isReleased = Promise<Void>()
                let token: Token
                init() { token = Token(isReleased) }
                final class Token: Sendable {
                    let isReleased: Promise<Void>
                    init(_ isReleased: Promise<Void>) { self.isReleased = isReleased }
                    deinit { isReleased.fulfill(()) }
                }
            }
            let isOpen = Box(false)
            let server = try LoopbackServer { _ in
                LoopbackReply([.waitUntil { isOpen.value }, .respond(status: 200, headers: [:], body: Data())])
            }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 1)
            let first = Exchanging(try request(server, "1"), on: transport)
            try await until { server.requests.count == 1 }
            let isReleased: Promise<Void>
            do {
                let witness = Witness()
                isReleased = witness.isReleased
                transport.start(try request(server, "2")) { [token = witness.token] _ in withExtendedLifetime(token) {}
                }
                .cancel()
            }
            try await isReleased.value(within: .seconds(20))
            isOpen.value = true
            #expect(try await first.finished().error == nil)
        }

        @Test("if requests cannot be started, all requests that wait for their connections are started")
        func failures() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport(connectionsPerHost: 1)
            let missing = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            let broken = try TransportRequest(method: .put, url: server.url, body: .file(missing))
            let failing = (0..<1000).map { _ in Exchanging(broken, on: transport) }
            let last = Exchanging(try request(server, "last"), on: transport)
            #expect(try await last.finished().error == nil)
            for exchange in failing { #expect(try await exchange.finished().error != nil) }
        }

        @Test("a limit below one connection is refused", arguments: [0, -1])
        func noConnection(_ limit: Int) {
            #expect(throws: TransportError.self) { try CurlTransport(connectionsPerHost: limit) }
        }
    }
#endif
