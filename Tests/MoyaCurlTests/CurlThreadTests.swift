#if os(Linux)
    import Foundation
    import MoyaTesting
    import TestSupport
    import Testing

    import Moya
    @testable import MoyaCurl

    /// Several event loops behave as one transport.
    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct CurlThreadTests {
        /// A server that sends its responses only after `isOpen` was set.
        private final class HeldServer: Sendable {
            let server: LoopbackServer
            let isOpen = Box(false)
            /// The maximum number of concurrent connections that a request has found.
            let mostConnections = Box(0)

            init() throws {
                let running = Box<LoopbackServer?>(nil)
                let (isOpen, most) = (isOpen, mostConnections)
                server = try LoopbackServer { request in
                    let count = running.value?.connectionCount ?? 0
                    most.change { $0 = max($0, count) }
                    return LoopbackReply([
                        .waitUntil { isOpen.value }, .respond(status: 200, headers: [:], body: Data(request.path.utf8)),
                    ])
                }
                running.value = server
            }

            func request(_ number: Int) throws -> TransportRequest {
                try TransportRequest(method: .get, url: server.url.appending(path: "\(number)"))
            }

            func stop() { server.stop() }
        }

        /// Returns the names of the threads on which the receivers of the requests were called.
        private func threads(
            of requests: [TransportRequest], on transport: CurlTransport, whenStarted: () async throws -> Void
        ) async throws -> Set<String> {
            let names = Box<Set<String>>([])
            let outcomes = Box(0)
            for request in requests {
                _ = transport.start(request) { events in
                    names.change { $0.insert(Thread.current.name ?? "") }
                    if events.outcome != nil { outcomes.change { $0 += 1 } }
                }
            }
            try await whenStarted()
            try await until { outcomes.value == requests.count }
            return names.value
        }

        @Test("a few transfers stay on the first thread, many are distributed to all threads")
        func distribution() async throws {
            let held = try HeldServer()
            defer { held.stop() }
            let transport = try CurlTransport(.forTests(threads: 4))
            let few = try await threads(of: try (0..<16).map(held.request), on: transport) {
                try await until { held.server.requests.count == 16 }
                held.isOpen.value = true
            }
            expectEqual(few, ["moya.curl.0"])
            held.isOpen.value = false
            held.server.forgetRequests()
            let many = try await threads(of: try (0..<64).map(held.request), on: transport) {
                try await until { held.server.requests.count == 64 }
                held.isOpen.value = true
            }
            expectEqual(many, ["moya.curl.0", "moya.curl.1", "moya.curl.2", "moya.curl.3"])
        }

        @Test("sequential requests use one connection, however many threads there are", arguments: [1, 2, 8])
        func connectionReuse(_ threads: Int) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport(threads: threads)
            for _ in 0..<20 {
                #expect(try await transport.exchange(TransportRequest(method: .get, url: server.url)).error == nil)
            }
            expectEqual(server.connectionCount, 1)
        }

        @Test(
            "the limit of connections to a host applies to all threads together, and can be reached",
            arguments: [1, 2, 4], [1, 3, 6])
        func connectionLimit(_ threads: Int, _ limit: Int) async throws {
            let held = try HeldServer()
            defer { held.stop() }
            let transport = try CurlTransport(
                .forTests(connectionsPerHost: limit, threads: threads, firstLoopThreshold: 1))
            let exchanges = try (0..<40).map { Exchanging(try held.request($0), on: transport) }
            try await until { held.server.requests.count == limit }
            held.isOpen.value = true
            for (number, exchange) in exchanges.enumerated() {
                let result = try await exchange.finished()
                #expect(result.error == nil)
                expectEqual(result.text, "/\(number)")
                expectEqual(result.outcomes.count, 1)
            }
            #expect(held.mostConnections.value <= limit)
            expectEqual(held.server.requests.count, 40)
        }

        @Test("an invalid number of threads is refused", arguments: [0, -1, 65])
        func refusedThreads(_ threads: Int) {
            let error = #expect(throws: TransportError.self) { try CurlTransport(threads: threads) }
            #expect(error?.description.contains("threads is \(threads)") == true)
        }

        @Test(
            "the default is one thread up to two cores, then half of the cores, at most eight",
            arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (8, 4), (16, 8), (128, 8)])
        func defaultThreads(_ cores: Int, _ threads: Int) {
            expectEqual(CurlSettings.defaultThreads(cores: cores), threads)
        }

        @Test(
            "a shutdown cancels each running and each queued exchange once, on all threads, and closes the connections",
            arguments: [1, 4])
        func shutdown(_ threads: Int) async throws {
            let held = try HeldServer()
            defer { held.stop() }
            let transport = try CurlTransport(
                .forTests(connectionsPerHost: 8, threads: threads, firstLoopThreshold: 1))
            let exchanges = try (0..<100).map { Exchanging(try held.request($0), on: transport) }
            try await until { held.server.requests.count == 8 }
            transport.shutdown()
            transport.shutdown()
            let late = Exchanging(try held.request(100), on: transport)
            for exchange in exchanges + [late] {
                let result = try await exchange.finished()
                expectEqual(result.error?.code, .cancelled)
                #expect(result.error?.localizedDescription.contains("shut down") == true)
            }
            late.cancel()
            exchanges.last?.acknowledge(1)
            try await until { held.server.connectionCount == 0 }
            expectEqual(held.server.requests.count, 8)
            #expect((exchanges + [late]).allSatisfy { $0.events.value.outcomes.count == 1 })
        }

        @Test("exchanges that are started while the transport shuts down have one outcome each")
        func shutdownRace() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let request = try TransportRequest(method: .get, url: server.url)
            for _ in 0..<20 {
                let transport = try CurlTransport(
                    .forTests(connectionsPerHost: 2, threads: 4, firstLoopThreshold: 1))
                let exchanges = try await withThrowingTaskGroup(of: [Exchanging].self) { group in
                    for _ in 0..<4 { group.addTask { (0..<20).map { _ in Exchanging(request, on: transport) } } }
                    group.addTask {
                        transport.shutdown()
                        return []
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                for exchange in exchanges {
                    let result = try await exchange.finished()
                    #expect(result.error == nil || result.error?.code == .cancelled)
                }
                #expect(exchanges.allSatisfy { $0.events.value.outcomes.count == 1 })
            }
        }
    }
#endif
