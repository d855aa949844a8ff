#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// A port that accepts connections and sends no bytes.
    final class SilentPort: Sendable {
        let port: UInt16
        private let descriptor: Int32

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            // SAFETY: the pointer is to a local variable of the given size.
            let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(descriptor) }
    }

    /// A cancel delivers its outcome within 5 ms and does not block other threads.
    ///
    /// The tests use the minimum of many measurements, because the machine may be busy with other tests.
    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct CancelTests {
        private static let limit = Duration.milliseconds(5)
        private static let attempts = 100

        /// Returns the minimum time from a cancel to its outcome.
        private func quickest(
            _ request: TransportRequest, on transport: any Transport,
            when isTime: @escaping @Sendable (Exchanged, ContinuousClock.Instant) -> Bool
        ) async throws -> Duration {
            var quickest = Duration.seconds(1000)
            for _ in 0..<Self.attempts where quickest > Self.limit {
                let begun = ContinuousClock.now
                let exchanging = Exchanging(request, on: transport)
                try await until { isTime(exchanging.events.value, begun) }
                let begin = ContinuousClock.now
                exchanging.cancel()
                let result = try await exchanging.finished()
                quickest = min(quickest, ContinuousClock.now - begin)
                expectEqual(result.error?.code, .cancelled)
                expectEqual(result.outcomes.count, 1)
            }
            return quickest
        }

        @Test("a cancel during a TLS handshake")
        func handshake() async throws {
            let silent = try SilentPort()
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport()
            let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/"))
            let time = try await quickest(TransportRequest(method: .get, url: url), on: transport) { _, begun in
                ContinuousClock.now - begun > .milliseconds(30)
            }
            #expect(time <= Self.limit)
            #expect(try await transport.exchange(TransportRequest(method: .get, url: server.url)).error == nil)
        }

        @Test("a cancel while the window is exhausted")
        func heldBack() async throws {
            let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 1, count: 5_000_000)) }
            defer { server.stop() }
            let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: 10_000))
            let time = try await quickest(request, on: CurlTransport()) { events, _ in events.received >= 10_000 }
            #expect(time <= Self.limit)
        }

        @Test("a cancel before the head has arrived")
        func beforeTheHead() async throws {
            let server = try LoopbackServer { _ in .silence }
            defer { server.stop() }
            let request = try TransportRequest(method: .get, url: server.url)
            let time = try await quickest(request, on: CurlTransport()) { _, _ in !server.requests.isEmpty }
            #expect(time <= Self.limit)
        }

        @Test("a cancel inside a callback")
        func insideACallback() async throws {
            let server = try LoopbackServer { _ in .drip(Data(repeating: 1, count: 100_000)) }
            defer { server.stop() }
            let transport = try CurlTransport()
            let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil))
            var quickest = Duration.seconds(1000)
            for _ in 0..<Self.attempts where quickest > Self.limit {
                let exchange = Box<(any TransportExchange)?>(nil)
                let begin = Box<ContinuousClock.Instant?>(nil)
                let ended = Promise<(Duration, URLError.Code?)>()
                exchange.value = transport.start(request) { events in
                    if let outcome = events.outcome {
                        let time = begin.value.map { ContinuousClock.now - $0 } ?? .seconds(1000)
                        return ended.fulfill((time, outcome.error?.code))
                    }
                    guard begin.value == nil, let exchange = exchange.value else { return }
                    begin.value = .now
                    exchange.cancel()
                }
                let (time, code) = try await ended.value()
                quickest = min(quickest, time)
                expectEqual(code, .cancelled)
            }
            #expect(quickest <= Self.limit)
        }

        @Test("the completion of a cancelled call runs before `cancel` returns")
        func provider() async throws {
            struct Page: TargetType {
                let baseURL: URL
                let path = "/"
            }
            let server = try LoopbackServer { _ in .silence }
            defer { server.stop() }
            let kind = Box<MoyaError.Kind?>(nil)
            let call = MoyaProvider<Page>().request(Page(baseURL: server.url)) { result in
                if case .failure(let error) = result { kind.value = error.kind }
            }
            try await until { !server.requests.isEmpty }
            call.cancel()
            expectEqual(kind.value, .cancelled)
        }
    }
#endif
