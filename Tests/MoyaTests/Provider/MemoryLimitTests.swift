import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The content of responses that is in memory has a limit.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct MemoryLimitTests {
    private struct Page: TargetType {
        var baseURL: URL
        var path = "/"
        var options = RequestOptions()
    }

    private static let elsewhere = URL(string: "https://a.test") ?? URL(filePath: "/")
    /// 257 MiB of zeros that were compressed three times.
    private static let bomb = """
        H4sIAAAAAAACA5Pv5mAAASbmt3f0vZ4mijQ8fD1foe2jlA9bbKOvgMuFpHkPUmay+phod5w0mm0wO6YhwSD6yjOmlKaOzA+v9p7+sff85H01\
        t8ot9khP91688mfr9ds7d74/fvP++df13qeVgSYnPDg377z4stMNF589+fjhuT5I6EXd+j8Rc3RZ/8mvl5dgB4rw3Dt671xFmeKHsl/pFy1A\
        Sj5cs4v7lr674ffJs68mVgJFDjyw5WQD0g5dCSAHb+EAc7rBnCPInFEZqsvEvH2b48fPfOz95Ml3f24VZGAI+L5p698N1d//ekvUM/bqTjhg\
        95+ZAQBDV522TAIAAA==
        """

    @Test("a compression bomb ends as an error that names the limit and its option", arguments: TransportKind.allCases)
    func bomb(_ kind: TransportKind) async throws {
        let content = try #require(Data(base64Encoded: Self.bomb))
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Encoding": "gzip, gzip, gzip"], body: content)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Page>(transport: try kind.make())
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Page(baseURL: server.url)) }
        expectEqual(error?.kind, .badResponse)
        #expect(error?.description.contains("268435456") == true)
        #expect(error?.description.contains("maximumResponseSize") == true)
        #expect(error?.response?.data.isEmpty != false)
    }

    @Test("a limit does not change how a response is delivered, and nil lifts it", arguments: [1000, 256 << 20, nil])
    func delivery(_ limit: Int?) async throws {
        let deliveries = Box<[TransportRequest.Delivery]>([])
        let transport = ScriptedTransport { request in
            deliveries.change { $0.append(request.delivery) }
            return .text("hello")
        }
        let provider = MoyaProvider<Page>(transport: transport, maximumResponseSize: limit)
        try await expectEqual(provider.response(Page(baseURL: Self.elsewhere)).data.count, 5)
        expectEqual(deliveries.value, [.whole])
    }

    @Test("a response that a transport does not count is refused, too; a target may allow more")
    func backstop() async throws {
        let transport = ScriptedTransport { _ in .text("hello") }
        let provider = MoyaProvider<Page>(transport: transport, maximumResponseSize: 4)
        let error = await #expect(throws: MoyaError.self) {
            try await provider.response(Page(baseURL: Self.elsewhere))
        }
        #expect(error?.description.contains("maximumResponseSize") == true)
        let allowed = Page(baseURL: Self.elsewhere, options: RequestOptions(maximumResponseSize: .max))
        try await expectEqual(provider.response(allowed).data.count, 5)
    }

    @Test("the limit holds with progress, plugins and a slow callback", arguments: TransportKind.allCases)
    func progress(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in
            let chunk = LoopbackReply.Step.send(Data(repeating: 1, count: 50_000))
            return LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "1000000000"])), chunk, chunk]
                    + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Page>(
            transport: try kind.make(), plugins: [NetworkActivityPlugin { _, _ in }], maximumResponseSize: 1000)
        let promise = Promise<Result<Response, MoyaError>>()
        provider.request(Page(baseURL: server.url), progress: { _ in }, completion: { promise.fulfill($0) })
        let result = try await promise.value()
        guard case .failure(let error) = result else { return #expect(Bool(false), "no error") }
        #expect(error.kind == .badResponse && error.description.contains("1000 bytes"))
    }

    // MARK: Streams

    /// A transport that sends 8 MiB in chunks of 64 KiB, and stops at the window of its receiver.
    private final class WindowedTransport: Transport {
        static let length = 8 << 20

        let delivery = Box<TransportRequest.Delivery?>(nil)
        let delivered = Box(0)

        var capabilities: TransportCapabilities { .backpressure }

        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            delivery.value = request.delivery
            let exchange = Exchange(request.delivery, delivered, receive)
            receive(TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])))
            exchange.acknowledge(0)
            return exchange
        }

        private final class Exchange: TransportExchange {
            private let window: Int?
            private let delivered: Box<Int>
            private let consumed = Box(0)
            /// Receives acknowledgements, one at a time.
            private let acknowledgements = Box<SerialDelivery<Int>?>(nil)

            init(
                _ delivery: TransportRequest.Delivery, _ delivered: Box<Int>,
                _ receive: @escaping @Sendable (TransportEvents) -> Void
            ) {
                window = if case .chunks(let window) = delivery { window } else { nil }
                self.delivered = delivered
                acknowledgements.value = SerialDelivery(on: .immediate) { bytes in self.send(bytes, receive) }
            }

            var isCancelled: Bool { false }
            func cancel() {}

            func acknowledge(_ bytes: Int) { acknowledgements.value?.post(bytes) }

            private func send(_ bytes: Int, _ receive: (TransportEvents) -> Void) {
                consumed.change { $0 += bytes }
                while delivered.value < length, window.map({ delivered.value - consumed.value < $0 }) ?? true {
                    delivered.change { $0 += 64 << 10 }
                    let isLast = delivered.value == length
                    receive(
                        TransportEvents(
                            chunks: [Data(count: 64 << 10)], outcome: isLast ? TransportOutcome(error: nil) : nil))
                }
            }
        }
    }

    @Test("a stream without a window pauses while a slow receiver has a full limit of content to read")
    func slowReceiver() throws {
        let transport = WindowedTransport()
        let (slow, clock) = (VirtualTime(), VirtualTime())
        let provider = MoyaProvider<Page>(transport: transport, maximumResponseSize: 1 << 20, scheduler: clock)
        let received = Box(0)
        let unread = Box(0)
        let ends = Box<[Bool]>([])
        provider.requestStream(
            Page(baseURL: Self.elsewhere), callbackQueue: slow,
            receive: { part in
                guard case .chunk(let data) = part else { return }
                received.change { $0 += data.count }
                unread.change { $0 = max($0, transport.delivered.value - received.value) }
            },
            completion: { result in ends.change { $0.append((try? result.get()) != nil) } })
        expectEqual(transport.delivered.value, 1 << 20)
        // The server does not cause the silence, so it is no reason for a timeout.
        clock.advance(by: .seconds(600))
        slow.run()
        #expect(unread.value <= 1 << 20)
        #expect(received.value == 8 << 20 && ends.value == [true])
    }

    @Test("content that a receiver returns from at once is acknowledged, whatever the length of the stream")
    func fastReceiver() async throws {
        let transport = WindowedTransport()
        let provider = MoyaProvider<Page>(transport: transport, maximumResponseSize: 1 << 20)
        let received = Box(0)
        let end = Promise<Result<Response, MoyaError>>()
        let call = provider.requestStream(
            Page(baseURL: Self.elsewhere),
            receive: { part in if case .chunk(let data) = part { received.change { $0 += data.count } } },
            completion: { end.fulfill($0) })
        // An acknowledgement by the caller is not necessary, and does not count twice.
        call.acknowledge(.max)
        try await expectEqual(end.value().get().statusCode, 200)
        expectEqual(received.value, 8 << 20)
        expectEqual(transport.delivery.value, .chunks(window: 1 << 20))
    }

    @Test("the limit of a stream is 256 MiB by default, its own window, or none")
    func windows() async throws {
        let cases: [(Int??, Int?, Int?)] = [(nil, nil, 256 << 20), (.some(nil), nil, nil), (nil, 1000, 1000)]
        for (limit, window, expected) in cases {
            let deliveries = Box<[TransportRequest.Delivery]>([])
            let transport = ScriptedTransport { request in
                deliveries.change { $0.append(request.delivery) }
                return .text("hello")
            }
            var configuration = ProviderConfiguration(transport: transport)
            if let limit { configuration.maximumResponseSize = limit }
            let provider = MoyaProvider<Page>(configuration: configuration)
            let end = Promise<Result<Response, MoyaError>>()
            provider.requestStream(
                Page(baseURL: Self.elsewhere), window: window, receive: { _ in }, completion: { end.fulfill($0) })
            _ = try await end.value().get()
            expectEqual(deliveries.value, [.chunks(window: expected)])
        }
    }
}
