import Foundation
import Moya
import MoyaScheduling
import TestSupport
import Testing

@testable import MoyaCaching

@Suite(.queued, .timeLimit(.minutes(10))) struct CachedContentTests {
    private static let headers: HTTPHeaders = ["Cache-Control": "max-age=60"]

    private func request(_ delivery: TransportRequest.Delivery) throws -> TransportRequest {
        let url = try #require(URL(string: "https://a.test/x"))
        return try TransportRequest(method: .get, url: url, delivery: delivery)
    }

    @Test("35: content in chunks of any size is delivered unchanged, with and without the cache, and from the store")
    func streamsEqualBytes() throws {
        let content = Array("0123456789".utf8)
        for split in 0..<(1 << (content.count - 1)) {
            var chunks = [Data()]
            for (index, byte) in content.enumerated() {
                chunks[chunks.count - 1].append(byte)
                if index < content.count - 1, split & (1 << index) != 0 { chunks.append(Data()) }
            }
            let origin = SteppedOrigin(Self.headers)
            let collected = Locked(CollectedResponse())
            let transport = origin.caching(in: HTTPCache())
            _ = transport.start(try request(.chunks(window: nil))) { batch in collected.withLock { $0.take(batch) } }
            for (index, chunk) in chunks.enumerated() {
                origin.deliver(TransportEvents(chunks: [chunk]))
                try #require(collected.withLock { $0.chunks } == Array(chunks[...index]))
            }
            origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
            let stored = transport.collect(try request(.whole))
            try #require(stored.content == Data(content) && stored.status?.isHit == true)
        }
    }

    @Test(
        "8: a response that is cut off or cancelled is not stored",
        arguments: [URLError.Code.networkConnectionLost, .cancelled])
    func doesNotStoreParts(_ code: URLError.Code) throws {
        let cache = HTTPCache()
        let origin = SteppedOrigin(Self.headers)
        let exchange = origin.caching(in: cache).start(try request(.chunks(window: nil))) { _ in }
        origin.deliver(TransportEvents(chunks: [Data("abc".utf8)]))
        if code == .cancelled { exchange.cancel() }
        expectEqual(origin.isCancelled, code == .cancelled)
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: URLError(code))))
        expectEqual(cache.statistics.responses, 0)
    }

    @Test("30: a response whose request was sent before an invalidation is not stored")
    func doesNotStoreOutdated() throws {
        let cache = HTTPCache()
        let origin = SteppedOrigin(Self.headers)
        let sent = try request(.whole)
        _ = origin.caching(in: cache).start(sent) { _ in }
        cache.remove(sent.url)
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        expectEqual(cache.statistics.responses, 0)
    }

    @Test(
        "35: acknowledgements are passed to the transport, and a stored response respects its window",
        arguments: [1, 3, 10])
    func keepsWindow(_ window: Int) throws {
        let origin = SteppedOrigin(Self.headers)
        let transport = origin.caching(in: HTTPCache())
        let first = transport.start(try request(.chunks(window: window))) { _ in }
        origin.deliver(TransportEvents(chunks: [Data("0123456789".utf8)]))
        first.acknowledge(7)
        expectEqual(origin.acknowledged, 7)
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        let collected = Locked(CollectedResponse())
        let stored = transport.start(try request(.chunks(window: window))) { batch in
            collected.withLock { $0.take(batch) }
        }
        for consumed in 0..<10 {
            expectEqual(collected.withLock { $0.content.count }, min(10, window + consumed))
            stored.acknowledge(1)
        }
        expectEqual(collected.withLock { $0.text }, "0123456789")
        #expect(collected.withLock { $0.outcome?.error } == nil)
    }

    @Test("a cancel ends a stored response that waits for its window, with one outcome")
    func cancelsStored() throws {
        let origin = SteppedOrigin(Self.headers)
        let transport = origin.caching(in: HTTPCache())
        _ = transport.start(try request(.whole)) { _ in }
        origin.deliver(TransportEvents(chunks: [Data("0123".utf8)], outcome: TransportOutcome(error: nil)))
        let outcomes = Locked<[URLError.Code?]>([])
        let stored = transport.start(try request(.chunks(window: 2))) { batch in
            if let outcome = batch.outcome { outcomes.withLock { $0.append(outcome.error?.code) } }
        }
        for _ in 0..<2 { stored.cancel() }
        stored.acknowledge(2)
        expectEqual(outcomes.withLock { $0 }, [.cancelled])
        #expect(stored.isCancelled)
    }
}

/// A transport that delivers batches when a test calls it.
final class SteppedOrigin: Transport, TransportExchange {
    private struct State: Sendable {
        var receive: (@Sendable (TransportEvents) -> Void)?
        var acknowledged = 0
        var isCancelled = false
    }

    private let headers: HTTPHeaders
    private let state = Locked(State())

    private let statusCode: Int?

    /// - Parameter statusCode: if `nil`, the head is not delivered at the start.
    init(_ headers: HTTPHeaders, statusCode: Int? = 200) {
        self.headers = headers
        self.statusCode = statusCode
    }

    var capabilities: TransportCapabilities { .backpressure }
    var acknowledged: Int { state.withLock { $0.acknowledged } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        state.withLock { $0.receive = receive }
        if let statusCode {
            receive(TransportEvents(head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: headers)))
        }
        return self
    }

    func deliver(_ batch: TransportEvents) { state.withLock { $0.receive }?(batch) }
    func cancel() { state.withLock { $0.isCancelled = true } }
    func acknowledge(_ bytes: Int) { state.withLock { $0.acknowledged += bytes } }
}
