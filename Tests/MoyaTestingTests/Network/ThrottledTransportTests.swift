import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ThrottledTransportTests {
    private let time = VirtualTime()

    /// The batches of an exchange and the times of their delivery.
    private struct Delivery: Sendable {
        var times: [Duration] = []
        var batches: [TransportEvents] = []

        var content: Data { batches.flatMap(\.chunks).reduce(into: Data()) { $0.append($1) } }
        var outcomes: [TransportOutcome] { batches.compactMap(\.outcome) }
        var end: Duration? { outcomes.isEmpty ? nil : times.last }
    }

    private func stub(_ count: Int) -> StubTransport {
        let content = Data(count: count)
        return StubTransport { _ in .networkResponse(200, content) }
    }

    private func request(
        _ body: RequestBody = .none, delivery: TransportRequest.Delivery = .chunks(window: nil)
    ) throws -> TransportRequest {
        try TransportRequest(
            method: .post, url: #require(URL(string: "http://a.example/")), body: body, delivery: delivery)
    }

    private func start(
        _ request: TransportRequest, on transport: any Transport
    ) -> (exchange: any TransportExchange, delivery: Box<Delivery>) {
        let delivery = Box(Delivery())
        let time = time
        let exchange = transport.start(request) { batch in
            delivery.change { delivery in
                delivery.times.append(time.elapsed)
                delivery.batches.append(batch)
            }
        }
        return (exchange, delivery)
    }

    @Test("a response takes a round trip, and content its time on the network")
    func latencyAndBandwidth() throws {
        let content = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0) })
        let transport = StubTransport { _ in .networkResponse(200, content) }.throttled(
            to: NetworkConditions(roundTrip: .milliseconds(300), downstream: 200_000), on: time)
        let (_, delivery) = start(try request(), on: transport)
        time.run()
        expectEqual(delivery.value.end, .milliseconds(2300))
        expectEqual(delivery.value.content, content)
        #expect(delivery.value.batches.allSatisfy { $0.chunks.allSatisfy { $0.count <= 16 << 10 } })
        expectEqual(delivery.value.batches.compactMap(\.head).count, 1)
        expectEqual(delivery.value.outcomes.count, 1)
    }

    @Test("a request that asks for its response as a whole receives it in one batch, at the end")
    func whole() throws {
        let transport = stub(100_000).throttled(to: NetworkConditions(downstream: 100_000), on: time)
        let (_, delivery) = start(try request(delivery: .whole), on: transport)
        time.advance(by: .milliseconds(900))
        #expect(!delivery.value.batches.isEmpty)
        #expect(delivery.value.content.isEmpty)
        time.run()
        #expect(delivery.value.batches.last?.head != nil)
        expectEqual(delivery.value.batches.last?.chunks.map(\.count), [100_000])
        expectEqual(delivery.value.end, .seconds(1))
    }

    @Test("the content of a request takes time, with progress, before the other transport receives it")
    func upload() throws {
        let arrival = Box<Duration?>(nil)
        let time = time
        let transport = StubTransport { _ in
            arrival.value = time.elapsed
            return .networkResponse(200, Data())
        }.throttled(to: NetworkConditions(roundTrip: .seconds(1), upstream: 16 << 10), on: time)
        let (_, delivery) = start(try request(.data(Data(count: 40 << 10))), on: transport)
        time.run()
        expectEqual(arrival.value, .seconds(3))
        expectEqual(delivery.value.end, .milliseconds(3500))
        expectEqual(delivery.value.batches.map(\.bytesSent).prefix(3), [16 << 10, 32 << 10, 40 << 10])
        #expect(delivery.value.batches.map(\.bytesSent).allSatisfy { $0 <= 40 << 10 })
    }

    @Test("exchanges share the bandwidth: a small response does not wait for the end of a large one")
    func sharesBandwidth() throws {
        let transport = StubTransport { request in
            .networkResponse(200, Data(count: request.url.path == "/small" ? 1000 : 1_000_000))
        }.throttled(to: NetworkConditions(downstream: 100_000), on: time)
        let (_, large) = start(try request(), on: transport)
        let small = try TransportRequest(
            method: .get, url: #require(URL(string: "http://a.example/small")), delivery: .whole)
        let (_, delivery) = start(small, on: transport)
        time.run()
        #expect(try #require(delivery.value.end) < .milliseconds(500))
        expectEqual(large.value.end, .milliseconds(10_010))
    }

    @Test("losses are the same for the same seed, and cost time")
    func losses() throws {
        func end(_ loss: Double, seed: UInt64) throws -> Duration? {
            let time = VirtualTime()
            let transport = stub(1_000_000).throttled(
                to: NetworkConditions(downstream: 1_000_000, loss: loss), on: time, seed: seed)
            let end = Box<Duration?>(nil)
            _ = transport.start(try request()) { if $0.outcome != nil { end.value = time.elapsed } }
            time.run()
            return end.value
        }
        try expectEqual(end(0, seed: 1), .seconds(1))
        try expectEqual(end(0.05, seed: 1), end(0.05, seed: 1))
        #expect(try Set((0..<20).map { try end(0.05, seed: $0) }).count > 2)
        let lossy = try #require(try end(0.05, seed: 1))
        #expect(lossy >= .seconds(1))
    }

    @Test("on an unusable network, the connection is lost after a bounded time, and nothing reaches the server")
    func unusable() throws {
        let arrivals = Box(0)
        let transport = StubTransport { _ in
            arrivals.change { $0 += 1 }
            return .networkResponse(200, Data())
        }.throttled(to: .unusable, on: time)
        let (_, delivery) = start(try request(), on: transport)
        time.run()
        expectEqual(delivery.value.outcomes.map { $0.error?.code }, [.networkConnectionLost])
        expectEqual(delivery.value.end, .milliseconds(6200))
        expectEqual(arrivals.value, 0)
    }

    @Test(
        "a cancel at any time ends the exchange at once, with one outcome",
        arguments: [0, 1, 499, 500, 999, 1500, 9000])
    func cancel(_ milliseconds: Int) throws {
        let transport = stub(200_000).throttled(
            to: NetworkConditions(roundTrip: .seconds(1), downstream: 100_000), on: time)
        let (exchange, delivery) = start(try request(), on: transport)
        time.advance(by: .milliseconds(milliseconds))
        let hadEnded = delivery.value.end != nil
        exchange.cancel()
        exchange.cancel()
        expectEqual(delivery.value.outcomes.count, 1)
        expectEqual(exchange.isCancelled, !hadEnded)
        expectEqual(delivery.value.outcomes.first?.error?.code, hadEnded ? nil : .cancelled)
        time.run()
        expectEqual(delivery.value.outcomes.count, 1)
    }

    @Test("a cancel from the receiver is delivered after it returns")
    func cancelFromReceiver() throws {
        let transport = stub(200_000).throttled(to: NetworkConditions(downstream: 100_000), on: time)
        let exchange = Box<(any TransportExchange)?>(nil)
        let log = Log()
        exchange.value = transport.start(try request()) { batch in
            log.add(batch.outcome.map { "\($0.error?.code == .cancelled)" } ?? "begin")
            if batch.head != nil {
                exchange.value?.cancel()
                log.add("end")
            }
        }
        time.run()
        expectEqual(log.entries, ["begin", "end", "true"])
    }

    @Test("the window is that of the other transport")
    func window() throws {
        let log = Log()
        struct Exchange: TransportExchange {
            let log: Log
            var isCancelled: Bool { false }
            func cancel() { log.add("cancel") }
            func acknowledge(_ bytes: Int) { log.add("consumed \(bytes)") }
        }
        struct Waiting: Transport {
            let log: Log
            let capabilities: TransportCapabilities = .backpressure
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                receive(TransportEvents(chunks: [Data(count: 10)]))
                return Exchange(log: log)
            }
        }
        let transport = Waiting(log: log).throttled(to: .threeG, on: time)
        expectEqual(transport.capabilities, .backpressure)
        let (exchange, delivery) = start(try request(), on: transport)
        exchange.acknowledge(3)
        time.run()
        expectEqual(delivery.value.content.count, 10)
        exchange.acknowledge(10)
        exchange.cancel()
        expectEqual(log.entries, ["consumed 3", "consumed 10", "cancel"])
    }

    @Test("an interim response, a batch without content, arrives after the latency: it is activity")
    func interimResponse() throws {
        struct Processing: Transport {
            let capabilities: TransportCapabilities = []
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                receive(TransportEvents())
                return Exchange()
            }
            struct Exchange: TransportExchange {
                var isCancelled: Bool { false }
                func cancel() {}
                func acknowledge(_ bytes: Int) {}
            }
        }
        let transport = Processing().throttled(to: NetworkConditions(roundTrip: .seconds(2)), on: time)
        let (_, delivery) = start(try request(), on: transport)
        time.advance(by: .milliseconds(1999))
        #expect(delivery.value.batches.isEmpty)
        time.advance(by: .milliseconds(1))
        expectEqual(delivery.value.batches.count, 1)
    }

    @Test("without limits, large content is passed on without delay and without a deep stack")
    func noLimits() throws {
        let transport = stub(50_000_000).throttled(to: NetworkConditions(), on: time)
        let (_, delivery) = start(try request(.data(Data(count: 50_000_000))), on: transport)
        expectEqual(delivery.value.outcomes.count, 1)
        expectEqual(delivery.value.content.count, 50_000_000)
        expectEqual(time.elapsed, .zero)
    }

    @Test("hostile conditions do no harm", arguments: [-1, .nan, 2, .infinity] as [Double])
    func hostile(_ loss: Double) throws {
        let transport = stub(10).throttled(
            to: NetworkConditions(roundTrip: .seconds(-1), downstream: -5, upstream: 0, loss: loss), on: time)
        let (_, delivery) = start(try request(.data(Data(count: 10))), on: transport)
        time.run()
        expectEqual(delivery.value.outcomes.count, 1)
    }

    @Test("an app is tried under 3G in virtual time: the provider's deadline passes while content arrives slowly")
    func provider() throws {
        struct Image: TargetType {
            let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
            let path = "/image"
        }
        func outcome(_ conditions: NetworkConditions, total: Duration) -> String? {
            let time = VirtualTime()
            let provider = MoyaProvider<Image>(
                callbackQueue: time, transport: stub(1_000_000).throttled(to: conditions, on: time),
                timeouts: Timeouts(total: total), scheduler: time)
            let outcome = time.record(
                provider.request(Image()).map { "\($0.data.count) bytes" }
                    .catch { .just("\(($0 as? MoyaError)?.kind ?? .other)") })
            time.run()
            return outcome.elements.first
        }
        expectEqual(outcome(.threeG, total: .seconds(6)), "1000000 bytes")
        expectEqual(outcome(.threeG, total: .seconds(5)), "timeout")
        expectEqual(outcome(.edge, total: .seconds(30)), "timeout")
        expectEqual(outcome(.lte, total: .seconds(1)), "1000000 bytes")
        expectEqual(outcome(.unusable, total: .seconds(60)), "connectionLost")
    }

    @Test("the contract of transports is met above a real transport", arguments: TransportContract.claims)
    func contract(_ claim: ContractClaim<any Transport>) async throws {
        let conditions = NetworkConditions(roundTrip: .milliseconds(2), downstream: 500_000_000)
        #if os(Linux)
            let transport = try CurlTransport()
        #else
            let transport = URLSessionTransport()
        #endif
        try await claim.check(transport.throttled(to: conditions, on: .queue(.global())))
    }
}
