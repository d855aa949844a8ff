import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// Content on its way to the disk and from it.
@Suite(.queued, .timeLimit(.minutes(10))) struct DiskContentTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]
    /// Longer than what is read at once.
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) })
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func request(
        _ delivery: TransportRequest.Delivery = .whole, _ headers: HTTPHeaders = [:]
    ) throws -> TransportRequest {
        let url = try #require(URL(string: "https://a.test/x"))
        return try TransportRequest(method: .get, url: url, headers: headers, delivery: delivery)
    }

    /// Stores the content; returns the transport.
    private func store(_ origin: SteppedOrigin, in cache: HTTPCache) throws -> CachingTransport {
        let transport = origin.caching(in: cache)
        _ = transport.start(try request(.chunks(window: nil))) { _ in }
        for start in stride(from: 0, to: Self.content.count, by: 16_000) {
            origin.deliver(TransportEvents(chunks: [Self.content[start..<min(start + 16_000, Self.content.count)]]))
        }
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil, trailers: ["T": "1"])))
        return transport
    }

    @Test("35: long content is read in pieces, or as a whole, or in part")
    func readsContent() throws {
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache())
        let pieces = transport.collect(try request(.chunks(window: nil)))
        #expect(pieces.content == Self.content && pieces.chunks.allSatisfy { $0.count <= 64 << 10 })
        #expect(pieces.outcome?.trailers == ["T": "1"] && pieces.status?.isHit == true)
        let whole = transport.collect(try request(.whole))
        #expect(whole.content == Self.content && whole.batches == 1)
        let part = transport.collect(try request(.chunks(window: nil), ["Range": "bytes=1000-150000"]))
        #expect(part.content == Self.content[1000...150_000] && part.statusCode == 206)
        let condition: HTTPHeaders = ["If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"]
        #expect(transport.collect(try request(.whole, condition)).content.isEmpty)
    }

    @Test("27: a validation in the background reads no content")
    func validatesWithoutReading() throws {
        let reads = Locked(0)
        let files = FaultyFileSystem { kind, path in
            if kind == .reading, path.contains("/v3/content/") { reads.withLock { $0 += 1 } }
        }
        let headers: HTTPHeaders = ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"1\""]
        let content = String(repeating: "a", count: 1 << 20)
        let fixture = CacheFixture(try directory.cache(limit: 8 << 20, files: files)) { request, _ in
            (request.headers["If-None-Match"] == nil ? 200 : 304, headers, content)
        }
        _ = try fixture.send()
        /// Counts the reads for the first ten bytes.
        func readsOfRange() throws -> Int {
            reads.withLock { $0 = 0 }
            let response = try fixture.send(.get, "https://a.test/x", ["Range": "bytes=0-9"])
            #expect(response.content.count == 10 && response.status?.isHit == true)
            return reads.withLock { $0 }
        }
        let expected = try readsOfRange()
        fixture.time.advance(by: .seconds(5))
        try expectEqual(readsOfRange(), expected)
        #expect(fixture.arrivals == 2 && fixture.cache.statistics.validations == 1)
    }

    @Test("35: content on disk keeps the window of its reader", arguments: [1000, 64 << 10, 150_000])
    func keepsWindow(_ window: Int) throws {
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache())
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request(.chunks(window: window))) { batch in
            collected.withLock { $0.take(batch) }
        }
        var consumed = 0
        while consumed < Self.content.count {
            expectEqual(collected.withLock { $0.content.count }, min(Self.content.count, consumed + window))
            exchange.acknowledge(800)
            consumed += 800
        }
        #expect(collected.withLock { $0.content == Self.content && $0.outcome?.error == nil })
    }

    @Test("acknowledged numbers of bytes that are negative or overflow do not end the process")
    func extremeCredit() throws {
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache())
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request(.chunks(window: 1000))) { batch in
            collected.withLock { $0.take(batch) }
        }
        // Each number that is as large as the window, or larger, requests one window more.
        for bytes in [-1, .min, .max, .max] { exchange.acknowledge(bytes) }
        expectEqual(collected.withLock { $0.content.count }, 3000)
        exchange.cancel()
    }

    @Test("a cancel ends the delivery of content on disk, once")
    func cancelsReading() throws {
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache())
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request(.chunks(window: 1000))) { batch in
            collected.withLock { $0.take(batch) }
        }
        for _ in 0..<2 { exchange.cancel() }
        exchange.acknowledge(1000)
        #expect(collected.withLock { $0.outcome?.error?.code == .cancelled && $0.batches == 2 })
    }

    @Test("content that is removed while it is read is delivered to its end")
    func readsRemoved() throws {
        let cache = try directory.cache()
        let transport = try store(SteppedOrigin(Self.fresh), in: cache)
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request(.chunks(window: 1000))) { batch in
            collected.withLock { $0.take(batch) }
        }
        cache.removeAll()
        #expect(directory.contents.isEmpty)
        for _ in 0..<200 { exchange.acknowledge(1000) }
        #expect(collected.withLock { $0.content == Self.content && $0.outcome?.error == nil })
    }

    @Test("42: content that becomes unreadable after its start is an error that is retried")
    func failsInTheMiddle() throws {
        let counter = FaultCounter()
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache(files: counter.files))
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request(.chunks(window: 1000))) { batch in
            collected.withLock { $0.take(batch) }
        }
        counter.fail(from: 0, with: .EIO)
        // The rest of the first block was read and verified already.
        for _ in 0..<70 { exchange.acknowledge(1000) }
        expectEqual(collected.withLock { $0.outcome?.error?.code }, .networkConnectionLost)
        expectEqual(collected.withLock { $0.content }, Self.content.prefix(64 << 10))
        let batches = collected.withLock { $0.batches }
        exchange.cancel()
        expectEqual(collected.withLock { $0.batches }, batches)
    }

    @Test("42: if content is unreadable from its start, the request is sent")
    func failsAtTheStart() throws {
        let counter = FaultCounter()
        let transport = try store(SteppedOrigin(Self.fresh), in: try directory.cache(files: counter.files))
        let count = counter.count
        #expect(transport.collect(try request(.chunks(window: 1))).status?.isHit == true)
        // The last of these operations has read the content.
        counter.fail(from: counter.count + counter.count - count - 1, with: .EIO)
        let sent = transport.collect(try request(.chunks(window: 1)))
        #expect(sent.head != nil && sent.status?.isHit == false && sent.outcome == nil)
    }

    // MARK: Slow disks

    @Test("content that arrives at once is stored, also if it is larger than what may wait")
    func storesLargeBatch() throws {
        let length = 5_000_000
        let cache = try directory.cache(limit: 16 << 20)
        let origin = SteppedOrigin(Self.fresh)
        let transport = origin.caching(in: cache)
        _ = transport.start(try request()) { _ in }
        origin.deliver(
            TransportEvents(chunks: [Data(repeating: 1, count: length)], outcome: TransportOutcome(error: nil)))
        expectEqual(cache.statistics.writes, 1)
        expectEqual(transport.collect(try request()).content.count, length)
    }

    @Test("a slow disk gives up storing at 4 MiB, and holds up no content")
    func givesUp() throws {
        let (disk, time) = (VirtualTime(), VirtualTime())
        let cache = try directory.slowCache(disk)
        let origin = SteppedOrigin(Self.fresh)
        let transport = origin.caching(in: cache, scheduler: time)
        let received = Locked((bytes: 0, hasOutcome: false))
        _ = transport.start(try request(.chunks(window: nil))) { batch in
            received.withLock { received in
                received.bytes += batch.chunks.reduce(0) { $0 + $1.count }
                received.hasOutcome = batch.outcome != nil
            }
        }
        disk.run()
        let chunk = Data(repeating: 1, count: 64 << 10)
        for number in 1...100 {
            origin.deliver(TransportEvents(chunks: [chunk]))
            expectEqual(received.withLock { $0.bytes }, number * chunk.count)
        }
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        #expect(received.withLock { $0.hasOutcome })
        expectEqual(cache.statistics.failedWrites, 1)
        disk.run()
        #expect(directory.temporaryFiles.isEmpty && directory.contents.isEmpty && cache.statistics.bytes == 0)
        // The disk has recovered.
        let next = transport.start(try request(.chunks(window: nil))) { _ in }
        disk.run()
        for _ in 0..<100 {
            origin.deliver(TransportEvents(chunks: [chunk]))
            disk.run()
        }
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        disk.run()
        #expect(cache.statistics.writes == 1 && directory.contents.count == 1)
        withExtendedLifetime(next) {}
    }

    @Test("a request is sent after half a second without a look-up, which is ignored later")
    func bypassesSlowDisk() throws {
        let (disk, time) = (VirtualTime(), VirtualTime())
        let cache = try directory.slowCache(disk)
        let origin = SteppedOrigin(Self.fresh)
        let transport = origin.caching(in: cache, scheduler: time)
        let collected = Locked(CollectedResponse())
        _ = transport.start(try request()) { batch in collected.withLock { $0.take(batch) } }
        time.advance(by: .milliseconds(499))
        expectEqual(collected.withLock { $0.batches }, 0)
        time.advance(by: .milliseconds(1))
        expectEqual(collected.withLock { $0.status?.forwardReason }, .bypass)
        origin.deliver(TransportEvents(chunks: [Data("abc".utf8)], outcome: TransportOutcome(error: nil)))
        #expect(collected.withLock { $0.text == "abc" && $0.outcome != nil })
        disk.run()
        expectEqual(collected.withLock { $0.batches }, 2)
        let stored = Locked(CollectedResponse())
        _ = transport.start(try request()) { batch in stored.withLock { $0.take(batch) } }
        disk.run()
        time.run()
        #expect(stored.withLock { $0.text == "abc" && $0.status?.isHit == true && $0.batches == 1 })
    }

    @Test("a cancel during a look-up is delivered at once, and nothing after it")
    func cancelsLookUp() throws {
        let (disk, time) = (VirtualTime(), VirtualTime())
        let origin = SteppedOrigin(Self.fresh)
        let transport = origin.caching(in: try directory.slowCache(disk), scheduler: time)
        let collected = Locked(CollectedResponse())
        let exchange = transport.start(try request()) { batch in collected.withLock { $0.take(batch) } }
        for _ in 0..<2 { exchange.cancel() }
        #expect(collected.withLock { $0.outcome?.error?.code == .cancelled && $0.batches == 1 })
        disk.run()
        time.run()
        #expect(collected.withLock { $0.batches } == 1 && exchange.isCancelled)
    }

    @Test("30: a response whose URL is invalidated before the disk has stored it is not stored")
    func doesNotStoreOutdated() throws {
        let (disk, time) = (VirtualTime(), VirtualTime())
        let cache = try directory.slowCache(disk)
        let origin = SteppedOrigin(Self.fresh)
        let sent = try request()
        _ = origin.caching(in: cache, scheduler: time).start(sent) { _ in }
        disk.run()
        origin.deliver(TransportEvents(chunks: [Data("abc".utf8)], outcome: TransportOutcome(error: nil)))
        cache.remove(sent.url)
        disk.run()
        #expect(directory.files(in: "v3").isEmpty && cache.statistics.bytes == 0)
    }
}
