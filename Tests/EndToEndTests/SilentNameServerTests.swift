#if os(Linux)
    import Foundation
    @testable import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// Name look-ups with a server that responds only to names of `late.example`, after a second.
    ///
    /// The tests use the minimum of several measurements, because the machine may be busy.
    @Suite(
        .enabled(if: ProcessInfo.processInfo.environment["MOYA_SILENT_DNS"] != nil), .serialized,
        .queued, .timeLimit(.minutes(10)))
    struct SilentNameServerTests {
        /// The installed libcurl, and the workaround for versions before 7.87, which cannot abandon a look-up.
        enum Library: String, CaseIterable, CustomStringConvertible {
            case asItIs = "as it is"
            case asBefore787 = "as before 7.87"

            var description: String { rawValue }

            func transport() throws -> CurlTransport {
                let library = try CurlCapabilities(takenFor: self == .asItIs ? nil : 0x07_56_00)
                return try CurlTransport(CurlSettings(library, .system, .direct, connectionsPerHost: 64))
            }
        }

        private struct Ended: Sendable {
            let error: URLError.Code?
            let time: ContinuousClock.Instant
        }

        private func start(
            _ url: URL, connectTimeout: Duration? = nil, on transport: CurlTransport
        ) throws -> (exchange: any TransportExchange, ended: Promise<Ended>) {
            let ended = Promise<Ended>()
            let request = try TransportRequest(method: .get, url: url, connectTimeout: connectTimeout)
            let exchange = transport.start(request) { events in
                if let outcome = events.outcome { ended.fulfill(Ended(error: outcome.error?.code, time: .now)) }
            }
            return (exchange, ended)
        }

        private func silent() throws -> URL {
            try #require(URL(string: "http://\(UUID().uuidString.lowercased()).silent.example/"))
        }

        /// Starts an exchange and waits until its name look-up runs, which another exchange on the transport shows.
        private func lookUp(
            _ url: URL, connectTimeout: Duration? = nil, on transport: CurlTransport, beside server: LoopbackServer
        ) async throws -> (exchange: any TransportExchange, ended: Promise<Ended>) {
            let started = try start(url, connectTimeout: connectTimeout, on: transport)
            #expect(try await start(server.url, on: transport).ended.value().error == nil)
            #expect(!started.ended.isFulfilled)
            return started
        }

        @Test(
            "a cancel during a name look-up gives its outcome within 5 ms, and blocks no other transfer",
            arguments: Library.allCases)
        func cancel(_ library: Library) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try library.transport()
            var cancelTime = Duration.seconds(1000)
            var served = Duration.seconds(1000)
            for _ in 0..<10 {
                let (exchange, ended) = try await lookUp(try silent(), on: transport, beside: server)
                let begin = ContinuousClock.now
                exchange.cancel()
                let other = try start(server.url, on: transport).ended
                let end = try await ended.value()
                expectEqual(end.error, .cancelled)
                let otherEnd = try await other.value()
                #expect(otherEnd.error == nil)
                cancelTime = min(cancelTime, end.time - begin)
                served = min(served, otherEnd.time - begin)
            }
            print("libcurl \(library): cancelled in \(cancelTime), another served in \(served)")
            #expect(cancelTime <= .milliseconds(5))
            #expect(served <= .milliseconds(50))
        }

        @Test(
            "the deadline for connecting ends a look-up on time, and blocks no other transfer",
            arguments: Library.allCases)
        func connectTimeout(_ library: Library) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try library.transport()
            var quickest = Duration.seconds(1000)
            var served = Duration.seconds(1000)
            for _ in 0..<3 {
                let begin = ContinuousClock.now
                let limit = Duration.milliseconds(300)
                let (_, ended) = try await lookUp(
                    try silent(), connectTimeout: limit, on: transport, beside: server)
                let end = try await ended.value()
                expectEqual(end.error, .timedOut)
                #expect(end.time - begin >= .milliseconds(290))
                quickest = min(quickest, end.time - begin)
                let other = try await start(server.url, on: transport).ended.value()
                #expect(other.error == nil)
                served = min(served, other.time - end.time)
            }
            print("libcurl \(library): 300 ms were over in \(quickest), another served in \(served)")
            #expect(quickest < .milliseconds(600))
            #expect(served <= .milliseconds(50))
        }

        @Test("a request that is cancelled during its name look-up does not connect", arguments: Library.allCases)
        func neverConnects(_ library: Library) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let port = try #require(server.url.port)
            func late(_ path: String) throws -> URL {
                try #require(URL(string: "http://\(UUID().uuidString.lowercased()).late.example:\(port)/\(path)"))
            }
            let transport = try library.transport()
            let unwanted = try await lookUp(try late("unwanted"), on: transport, beside: server)
            let expired = try await lookUp(
                try late("expired"), connectTimeout: .milliseconds(300), on: transport, beside: server)
            unwanted.exchange.cancel()
            try await expectEqual(unwanted.ended.value().error, .cancelled)
            try await expectEqual(expired.ended.value().error, .timedOut)
            // This look-up starts after the others, so its result arrives after theirs.
            let wanted = try await lookUp(try late("wanted"), on: transport, beside: server)
            #expect(try await wanted.ended.value().error == nil)
            expectEqual(Set(server.requests.map(\.path)), ["/", "/wanted"])
            #expect(server.connectionCount <= 2)
        }

        @Test("a deadline for connecting does not end a connected exchange", arguments: Library.allCases)
        func slowAnswer(_ library: Library) async throws {
            let server = try LoopbackServer { request in
                request.path == "/slow"
                    ? LoopbackReply.text("at last").after(.wait(.milliseconds(600))) : .echo(request)
            }
            defer { server.stop() }
            let url = server.url.appending(path: "slow")
            let ended = try start(url, connectTimeout: .milliseconds(200), on: library.transport()).ended
            #expect(try await ended.value().error == nil)
        }

        @Test("a transport that is released during name look-ups ends", arguments: Library.allCases)
        func ends(_ library: Library) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let own: Set<String>
            do {
                let transport: CurlTransport
                (transport, own) = try transportAndDescriptors(library)
                for _ in 0..<3 {
                    let (exchange, ended) = try await lookUp(try silent(), on: transport, beside: server)
                    exchange.cancel()
                    try await expectEqual(ended.value().error, .cancelled)
                }
            }
            try await waitUntil { Self.descriptors().isDisjoint(with: own) }
        }

        /// Creates a transport and returns it with its new descriptors.
        ///
        /// Creates another one if a transport of an earlier test has ended meanwhile, because its descriptors are then
        /// reused and are not detected as new.
        private func transportAndDescriptors(_ library: Library) throws -> (CurlTransport, Set<String>) {
            for _ in 0..<100 {
                let before = Self.descriptors()
                let transport = try library.transport()
                let own = Self.descriptors().subtracting(before)
                if own.count >= 2 { return (transport, own) }
            }
            throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "a transport has no descriptors"])
        }

        /// Returns the descriptors of transports and of Dispatch.
        private static func descriptors() -> Set<String> {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return Set(descriptors).filter { descriptor in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return target?.hasPrefix("anon_inode:[event") == true
            }
        }

        private func waitUntil(_ condition: @escaping @Sendable () -> Bool) async throws {
            let held = Promise<Void>()
            @Sendable func look() {
                if condition() { return held.fulfill(()) }
                DispatchScheduler.background.schedule(after: .milliseconds(10)) { look() }
            }
            look()
            try await held.value(within: .seconds(60))
        }
    }
#endif
