import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// What a store counts and removes, so that the files of a directory stay below its limit.
@Suite(.queued, .timeLimit(.minutes(10))) struct DiskMaintenanceTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A cache on the directory, whose server sends 2,000 bytes.
    private func fixture(limit: Int = 1 << 20, maintenance: any Scheduler = .immediate) throws -> CacheFixture {
        CacheFixture(try directory.cache(limit: limit, maintenance: maintenance)) { _, _ in
            (200, Self.fresh, String(repeating: "a", count: 2000))
        }
    }

    @Test(
        "40: a temporary file from two hours ago is removed, and so is one from two hours in the future",
        arguments: [7200, -7200] as [TimeInterval])
    func removesTemporaryFile(_ age: TimeInterval) throws {
        try directory.age(directory.addFile(in: "v3/tmp", length: 100_000), by: age)
        let fixture = try fixture(limit: 50_000)
        _ = try fixture.send()
        #expect(try fixture.send().status?.isHit == true)
        #expect(directory.temporaryFiles.isEmpty)
    }

    @Test("40: what a link in the directory of the cache refers to stays", arguments: ["content", "index", "tmp"])
    func keepsLinkedFiles(_ folder: String) throws {
        let elsewhere = try TemporaryDirectory()
        let file = try elsewhere.addFile(in: "ab", length: 10)
        try elsewhere.age(file, by: 7200)
        // The cache has no directory `zz` of its own.
        for link in ["v3/\(folder)/zz", "v3/\(folder)/cd/ef"] {
            let url = URL(filePath: "\(directory.path)/\(link)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "\(elsewhere.path)/ab")
        }
        _ = try fixture().send()
        expectEqual(elsewhere.files(in: "ab"), [file])
    }

    @Test("43: two stores keep the limit of their directory even if maintenance never runs", arguments: [1, 2])
    func keepsLimitWithoutMaintenance(_ stores: Int) throws {
        let limit = 100_000
        let fixtures = try (0..<stores).map { _ in try fixture(limit: limit, maintenance: ManualClock()) }
        for number in 0..<100 { _ = try fixtures[number % stores].send(.get, "https://a.test/\(number)") }
        #expect(directory.bytes <= limit + limit / 10)
        #expect(directory.bytes > limit / 3)
        // A store that finds no space makes it, and drops no response.
        for fixture in fixtures { expectEqual(fixture.cache.statistics.failedWrites, 0) }
    }

    @Test("43: a full cache stores a burst of responses")
    func storesBurst() async throws {
        let cache = try HTTPCache(directory: URL(filePath: directory.path), maximumSize: 1 << 20)
        let origin = ScriptedOrigin { _, _ in (200, Self.fresh, String(repeating: "a", count: 10_000)) }
        let transport = origin.caching(in: cache, scheduler: VirtualTime())
        for count in [120, 420] {
            for number in cache.statistics.writes..<count {
                let url = try #require(URL(string: "https://a.test/\(number)"))
                _ = transport.start(try TransportRequest(method: .get, url: url)) { _ in }
            }
            try await until { cache.statistics.writes + cache.statistics.failedWrites >= count }
        }
        #expect(cache.statistics.failedWrites == 0 && directory.bytes <= (1 << 20) / 10 * 11)
    }

    @Test(
        "43: a response of up to half of the limit is stored, and evicts others; a larger one evicts nothing",
        arguments: [(30_000, true), (49_000, true), (60_000, false), (90_000, false)])
    func largeResponse(_ length: Int, _ isStored: Bool) throws {
        let fixture = CacheFixture(try directory.cache(limit: 100_000)) { request, _ in
            (200, Self.fresh, String(repeating: "a", count: request.url.path == "/large" ? length : 2000))
        }
        for number in 0..<60 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        let before = fixture.cache.statistics
        // The first one may only make space.
        for _ in 0..<2 { _ = try fixture.send(.get, "https://a.test/large") }
        try expectEqual(fixture.send(.get, "https://a.test/large").status?.isHit, isStored)
        expectEqual(fixture.cache.statistics.responses == before.responses, !isStored)
        #expect(directory.bytes <= 110_000)
    }

    @Test("43: a response that is stored while the directory is listed counts")
    func countsStored() throws {
        let isListing = Locked(false)
        let origin = SteppedOrigin(Self.fresh)
        let files = FaultyFileSystem { kind, path in
            guard kind == .reading, path.hasSuffix("only"), isListing.withLock({ exchange(&$0, with: false) }) else {
                return
            }
            origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        }
        let store = try directory.store(files: files)
        let transport = origin.caching(in: HTTPCache(store: store))
        for path in ["a", "b"] {
            let url = try #require(URL(string: "https://a.test/\(path)"))
            _ = transport.start(try TransportRequest(method: .get, url: url)) { _ in }
            if path == "a" { origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil))) }
        }
        isListing.withLock { $0 = true }
        store.maintain()
        #expect(directory.metadata.count == 2 && store.statistics.responses == 2)
    }

    @Test("43: files left by a process that ended during removeAll are removed when the next one starts")
    func finishesRemoveAll() throws {
        let ended = try fixture(maintenance: ManualClock())
        for number in 0..<5 { _ = try ended.send(.get, "https://a.test/\(number)") }
        ended.cache.removeAll()
        #expect(directory.contents.isEmpty && directory.temporaryFiles.count == 10)
        let store = try directory.store()
        #expect(directory.temporaryFiles.isEmpty && store.statistics.bytes == 0)
    }

    @Test("43: files that cannot be removed still count", arguments: ["index", "content"])
    func countsUnremovable(_ folder: String) throws {
        let fixture = try fixture()
        for number in 0..<5 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        try directory.addFile(in: "v3/content/ab", length: 2000)
        let isReadOnly = Locked(true)
        let files = FaultyFileSystem { kind, path throws(FileError) in
            guard kind == .change, path.contains("/v3/\(folder)/"), isReadOnly.withLock({ $0 }) else { return }
            throw FileError(code: POSIXErrorCode.EACCES.rawValue, operation: "unlink", path: path)
        }
        let store = try directory.store(limit: 4000, files: files)
        #expect(directory.countedBytes > 2000)
        expectEqual(store.statistics.bytes, directory.countedBytes)
        isReadOnly.withLock { $0 = false }
        store.maintain()
        #expect(directory.countedBytes <= 4000)
        expectEqual(store.statistics.bytes, directory.countedBytes)
    }

    @Test(
        "43: a response that is published while the directory is listed is counted",
        arguments: ["v3/tmp", "v3/content", "v3/index"])
    func countsPublished(_ folder: String) throws {
        let origin = SteppedOrigin(Self.fresh)
        let url = try #require(URL(string: "https://a.test/x"))
        _ = origin.caching(in: try directory.cache()).start(try TransportRequest(method: .get, url: url)) { _ in }
        origin.deliver(TransportEvents(chunks: [Data(count: 100_000)]))
        let files = FaultyFileSystem { kind, path in
            guard kind == .reading, path.hasSuffix(folder) else { return }
            origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
        }
        let store = try directory.store(files: files)
        // Until the next listing, a response that was moved may be counted twice.
        #expect(directory.contents.count == 1 && store.statistics.bytes >= 100_000)
    }
}
