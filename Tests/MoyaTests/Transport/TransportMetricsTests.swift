import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

#if os(Linux)
    /// The measurements of the curl transport.
    @Suite(.queued, .timeLimit(.minutes(10))) struct TransportMetricsTests {
        private func metrics(_ request: TransportRequest, on transport: any Transport) async throws -> TransportMetrics
        {
            let result = try await transport.exchange(request)
            #expect(result.error == nil)
            return try #require(result.outcomes.first).metrics
        }

        @Test("11: on a reused connection there is no time for the name and the connection, instead of zero")
        func reusedConnection() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport(threads: 1)
            let request = try TransportRequest(method: .get, url: server.url)
            let first = try await metrics(request, on: transport)
            let second = try await metrics(request, on: transport)
            #expect(first.isReusedConnection == false)
            #expect(first.connect != nil)
            #expect(second.isReusedConnection == true)
            expectEqual([second.nameLookup, second.connect, second.secureConnect], [nil, nil, nil])
            #expect(second.firstByte != nil)
            // Each exchange has its own sizes.
            expectEqual(first.bytesSent, second.bytesSent)
            expectEqual(first.bytesReceived, second.bytesReceived)
        }

        @Test("the bytes of head and content, the server's address, and the order of the times")
        func sizes() async throws {
            let server = try LoopbackServer { _ in .text(String(repeating: "a", count: 50_000)) }
            defer { server.stop() }
            let transport = try CurlTransport(threads: 1)
            let content = Data(repeating: 1, count: 100_000)
            let request = try TransportRequest(
                method: .post, url: server.url, headers: ["Content-Type": "x/y"], body: .data(content))
            let metrics = try await metrics(request, on: transport)
            let (sent, received) = (try #require(metrics.bytesSent), try #require(metrics.bytesReceived))
            #expect((100_050...101_000).contains(sent))
            #expect((50_050...51_000).contains(received))
            expectEqual(metrics.remoteAddress, "127.0.0.1")
            expectEqual(metrics.remotePort, server.url.port)
            let times = [metrics.connect, metrics.requestSent, metrics.firstByte, metrics.total].compactMap(\.self)
            expectEqual(times, times.sorted())
            let plain = try await self.metrics(TransportRequest(method: .get, url: server.url), on: transport)
            #expect(plain.requestSent != nil)
        }

        @Test("the time in the queue is that until a connection is free, and is no part of the other times")
        func queueTime() async throws {
            let isOpen = Box(false)
            let server = try LoopbackServer { request in
                request.path == "/slow"
                    ? LoopbackReply.text("slow").after(.waitUntil { isOpen.value }) : .text("fast")
            }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct, connectionsPerHost: 1, threads: 1)
            let slow = Exchanging(
                try TransportRequest(method: .get, url: server.url.appending(path: "slow")), on: transport)
            try await until { server.requests.count == 1 }
            let waiting = Exchanging(try TransportRequest(method: .get, url: server.url), on: transport)
            let begun = ContinuousClock.now
            try await until { ContinuousClock.now - begun > .milliseconds(20) }
            isOpen.value = true
            let first = try #require(try await slow.finished().outcomes.first).metrics
            let second = try #require(try await waiting.finished().outcomes.first).metrics
            #expect(try #require(second.queued) >= .milliseconds(20))
            #expect(try #require(first.queued) < (try #require(second.queued)))
        }

        @Test("a connection that cannot be made has no sizes of a response")
        func refused() async throws {
            let url: URL
            do {
                let server = try LoopbackServer { .echo($0) }
                url = server.url
                server.stop()
            }
            let result = try await CurlTransport(threads: 1).exchange(TransportRequest(method: .get, url: url))
            let metrics = try #require(result.outcomes.first).metrics
            #expect(result.error != nil)
            expectEqual(metrics.bytesReceived, 0)
            expectEqual(metrics.bytesSent, 0)
        }
    }
#endif
