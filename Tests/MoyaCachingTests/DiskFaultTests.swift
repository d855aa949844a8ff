import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// What a disk, other programs and the end of the process do to a cache: misses, never errors or wrong content.
@Suite(.queued, .timeLimit(.minutes(10))) struct DiskFaultTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func fixture(_ files: any FileSystem = LocalFileSystem()) throws -> CacheFixture {
        CacheFixture(try directory.cache(files: files)) { _, number in (200, Self.fresh, "response \(number)") }
    }

    /// Sends a request, reloads it, invalidates another one, and reuses the first one.
    private func use(_ fixture: CacheFixture) throws {
        let reload: HTTPHeaders = ["Cache-Control": "no-cache"]
        for (path, fields) in [("a", [:]), ("a", reload), ("b", [:]), ("a", [:])] as [(String, HTTPHeaders)] {
            let response = try fixture.send(.get, "https://a.test/\(path)", fields)
            #expect(response.statusCode == 200 && response.outcome?.error == nil)
            #expect(response.text.hasPrefix("response ") && response.text.count == 10)
        }
        try fixture.cache.remove(#require(URL(string: "https://a.test/b")))
    }

    @Test(
        "42: a disk that fails from any operation on is misses",
        arguments: [POSIXErrorCode.ENOSPC, .EROFS, .EACCES, .EIO, .EXDEV, .EMFILE])
    func failsAnywhere(_ code: POSIXErrorCode) throws {
        let all = FaultCounter()
        try use(try fixture(all.files))
        #expect(all.count > 20)
        for step in 0..<all.count {
            let counter = FaultCounter()
            let fixture = try fixture(counter.files)
            counter.fail(from: step, with: code)
            try use(fixture)
            // The disk recovers.
            counter.fail(from: nil, with: code)
            let number = fixture.arrivals
            _ = try fixture.send(.get, "https://a.test/a", ["Cache-Control": "no-cache"])
            try expectEqual(fixture.send(.get, "https://a.test/a").text, "response \(number + 1)")
            fixture.cache.removeAll()
        }
    }

    @Test("30, 42: what was invalidated is not reused if it cannot be removed", arguments: ["remove", "removeAll"])
    func remembersInvalidation(_ function: String) throws {
        let counter = FaultCounter(failsReading: false)
        let fixture = try fixture(counter.files)
        let url = try #require(URL(string: "https://a.test/x"))
        _ = try fixture.send()
        counter.fail(from: 0, with: .EROFS)
        #expect(try fixture.send().status?.isHit == true)
        if function == "remove" { fixture.cache.remove(url) } else { fixture.cache.removeAll() }
        for number in 2...3 { try expectEqual(fixture.send().text, "response \(number)") }
        counter.fail(from: nil, with: .EROFS)
        try expectEqual(fixture.send().text, "response 4")
        try expectEqual(fixture.send().text, "response 4")
        expectEqual(directory.metadata.count, 1)
    }

    @Test("23, 42: a response that a newer one should have replaced is not reused", arguments: 0..<12)
    func removesOutdated(_ step: Int) throws {
        let counter = FaultCounter(failsReading: false)
        let fixture = try fixture(counter.files)
        _ = try fixture.send()
        counter.fail(from: counter.count + step, with: .ENOSPC)
        _ = try fixture.send(.get, "https://a.test/x", ["Cache-Control": "no-cache"])
        counter.fail(from: nil, with: .ENOSPC)
        #expect(try fixture.send().text != "response 1")
    }

    @Test("42: responses that cannot be stored are counted")
    func countsFailures() throws {
        let counter = FaultCounter()
        let fixture = try fixture(counter.files)
        counter.fail(from: 0, with: .ENOSPC)
        for _ in 0..<3 { _ = try fixture.send() }
        let statistics = fixture.cache.statistics
        #expect(statistics.failedWrites == 3 && statistics.writes == 0 && statistics.bytes == 0)
    }

    @Test(
        "42: a directory that is removed while the cache is used is created again",
        arguments: ["", "v3/index", "v3/tmp"])
    func recreatesDirectory(_ folder: String) throws {
        let fixture = try fixture()
        _ = try fixture.send()
        try FileManager.default.removeItem(atPath: "\(directory.path)/\(folder)")
        for _ in 0..<2 { _ = try fixture.send(.get, "https://a.test/y") }
        expectEqual(fixture.arrivals, 2)
        #expect(try fixture.send(.get, "https://a.test/y").status?.isHit == true)
    }

    @Test("a damaged file of metadata is a miss, and is removed")
    func survivesDamage() throws {
        let fixture = try fixture()
        _ = try fixture.send()
        let file = try #require(directory.metadata.first)
        let bytes = try Data(contentsOf: URL(filePath: file))
        let store = try directory.store()
        for index in bytes.indices {
            for damaged in [bytes.prefix(index), Data(bytes.enumerated().map { $1 ^ ($0 == index ? 0x41 : 0) })] {
                try damaged.write(to: URL(filePath: file))
                try #require(store.entry(file) == nil && directory.metadata.isEmpty)
            }
        }
        for other in [
            bytes + Data([0]), Data(), Data(repeating: 0, count: bytes.count), Data(repeating: 255, count: 99),
        ] {
            try other.write(to: URL(filePath: file))
            #expect(store.entry(file) == nil)
        }
        try bytes.write(to: URL(filePath: file))
        #expect(try fixture.send().status?.isHit == true)
    }

    @Test("metadata has the response, and no path outside the cache")
    func encodesMetadata() throws {
        let key = CacheKey(url: "https://a.test/", partition: nil)
        let head = ResponseHead(
            statusCode: 404, version: "HTTP/2", headers: HTTPHeaders(dictionaryLiteral: ("A", ""), ("a", "é\u{1F600}")))
        let nominated = [NominatedRequestField(name: "x", value: nil), NominatedRequestField(name: "y", value: "")]
        let response = StoredResponse(
            id: .max, key: key, head: head, trailers: ["T": "1"], content: .empty, nominated: nominated,
            requestTime: Date(timeIntervalSince1970: 0.1), responseTime: .distantPast)
        func encoded(_ name: String, _ checksums: [UInt64] = [.max]) -> Data {
            let content = ContentFile(name: name, length: 7, checksums: checksums)
            return StoredMetadata.encoded(response, content)
        }
        let name = UUID().uuidString
        let read = try #require(try? StoredMetadata.decoded(encoded(name)))
        #expect(read.content.name == name && read.content.length == 7 && read.response.id == .max)
        expectEqual(read.content.checksums, [.max])
        #expect(read.response.key == key && read.response.statusCode == 404 && read.response.head.version == "HTTP/2")
        #expect(
            read.response.headers.fields.map(\.value) == ["", "é\u{1F600}"] && read.response.trailers == ["T": "1"])
        #expect(read.response.nominated == nominated && read.response.requestTime == response.requestTime)
        expectEqual(read.response.responseTime, .distantPast)
        for name in ["../../secret", "", "/etc/passwd"] { #expect((try? StoredMetadata.decoded(encoded(name))) == nil) }
        for checksums in [[], [1, 2]] as [[UInt64]] {
            #expect((try? StoredMetadata.decoded(encoded(name, checksums))) == nil)
        }
    }

    @Test(
        "content of another length, missing content and links are misses",
        arguments: ["shorter", "longer", "missing", "link", "directory"])
    func checksContent(_ kind: String) throws {
        let fixture = try fixture()
        _ = try fixture.send()
        let file = try #require(directory.contents.first)
        let url = URL(filePath: file)
        let content = try Data(contentsOf: url)
        let other = URL(filePath: "\(directory.path)/other")
        try content.write(to: other)
        try FileManager.default.removeItem(at: url)
        switch kind {
        case "shorter": try content.dropLast().write(to: url)
        case "longer": try (content + content).write(to: url)
        case "link": try FileManager.default.createSymbolicLink(at: url, withDestinationURL: other)
        case "directory": try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        default: break
        }
        try expectEqual(fixture.send().text, "response 2")
        try expectEqual(fixture.send().text, "response 2")
    }

    #if os(Linux)
        @Test("other files in the index are left alone, and none of them blocks")
        func ignoresForeignFiles() throws {
            let fixture = try fixture()
            _ = try fixture.send()
            let entry = try #require(directory.metadata.first)
            let folder = (entry as NSString).deletingLastPathComponent
            let hash = String(repeating: "a", count: 64)
            try Data("note".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
            expectEqual(unsafe mkfifo("\(folder)/public.\(hash)", 0o600), 0)
            try FileManager.default.createDirectory(
                atPath: "\(folder)/public.\(hash.dropLast())b", withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/public.\(hash.dropLast())c", withDestinationPath: entry)
            #expect(try fixture.send().status?.isHit == true)
            let store = try directory.store(limit: 0)
            store.maintain()
            #expect(FileManager.default.fileExists(atPath: "\(folder)/notes.txt"))
            #expect(!directory.metadata.contains(entry))
        }
    #endif

    @Test("40: old temporary files and old content without metadata are removed, new ones are not")
    func removesLeftovers() throws {
        let fixture = try fixture()
        _ = try fixture.send()
        let kept = try #require(directory.contents.first)
        try directory.age(kept, by: 7200)
        var files: [String] = []
        for folder in ["v3/content/ab", "v3/tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(folder)", withIntermediateDirectories: true)
            for age in [0, 7200] {
                let file = "\(directory.path)/\(folder)/\(UUID().uuidString)"
                try Data("abc".utf8).write(to: URL(filePath: file))
                try directory.age(file, by: TimeInterval(age))
                files.append(file)
            }
        }
        let store = try directory.store()
        expectEqual(files.map { FileManager.default.fileExists(atPath: $0) }, [true, false, true, false])
        #expect(FileManager.default.fileExists(atPath: kept))
        expectEqual(store.statistics.responses, 1)
        #expect(try fixture.send().status?.isHit == true)
    }

    @Test("41, 43: content that concurrent writers have left without metadata is removed before responses are")
    func evictsLeftovers() throws {
        let fixture = try fixture()
        _ = try fixture.send()
        let folder = "\(directory.path)/v3/content/ab"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for _ in 0..<20 { try Data(count: 1000).write(to: URL(filePath: "\(folder)/\(UUID().uuidString)")) }
        let store = try directory.store(limit: 10_000)
        #expect(directory.contents.count == 1 && directory.metadata.count == 1 && store.statistics.bytes < 1000)
        #expect(try fixture.send().status?.isHit == true)
    }

    @Test("40: content is not removed if the metadata that may refer to it cannot be listed")
    func keepsContentAfterFailedListing() throws {
        let fixture = try fixture()
        _ = try fixture.send()
        for file in directory.contents { try directory.age(file, by: 7200) }
        let folder = "\(directory.path)/v3/content/ab"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("left over".utf8).write(to: URL(filePath: "\(folder)/\(UUID().uuidString)"))
        let files = FaultyFileSystem { kind, path throws(FileError) in
            guard kind == .reading, path.contains("/index/") else { return }
            throw FileError(code: POSIXErrorCode.EIO.rawValue, operation: "readdir", path: path)
        }
        _ = try directory.store(files: files)
        #expect(try fixture.send().status?.isHit == true)
    }

    @Test("after a power loss, a removed response is not there again: only removals wait for the disk")
    func syncsRemovals() throws {
        let synced = Locked<[String]>([])
        let files = FaultyFileSystem { kind, path in if kind == .sync { synced.withLock { $0.append(path) } } }
        let fixture = CacheFixture(try directory.cache(files: files)) { _, number in (200, Self.fresh, "\(number)") }
        _ = try fixture.send()
        _ = try fixture.send(.get, "https://a.test/y")
        _ = try fixture.send(.post, "https://a.test/z")
        #expect(synced.withLock { $0.isEmpty })
        let entries = directory.metadata.map {
            URL(filePath: $0).deletingLastPathComponent().deletingLastPathComponent().path
        }
        _ = try fixture.send(.post)
        fixture.cache.remove(try #require(URL(string: "https://a.test/y")))
        #expect(synced.withLock { Set($0) } == Set(entries) && synced.withLock { $0.count } == 2)
        fixture.cache.removeAll()
        expectEqual(synced.withLock { $0.last }, "\(directory.path)/v3")
    }

    @Test("a store that finds no space does not list the directory while another process evicts")
    func leavesEvictionToOthers() throws {
        let listings = Locked(0)
        let files = FaultyFileSystem { kind, path in
            if kind == .reading, path.hasSuffix("/index") { listings.withLock { $0 += 1 } }
        }
        let fixture = CacheFixture(try directory.cache(limit: 20_000, files: files, maintenance: ManualClock())) {
            _, _ in (200, ["Cache-Control": "max-age=60"], String(repeating: "a", count: 2000))
        }
        _ = try fixture.send()
        let lock = try LocalFileSystem().openFile("\(directory.path)/v3/lock", .locking)
        #expect(lock.tryLock())
        listings.withLock { $0 = 0 }
        for number in 0..<30 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        #expect(listings.withLock { $0 } == 0 && fixture.cache.statistics.failedWrites > 0)
        withExtendedLifetime(lock) {}
    }

    @Test("only one process evicts at a time")
    func locksEviction() throws {
        _ = try fixture().send()
        var lock: (any OpenFile)? = try LocalFileSystem().openFile("\(directory.path)/v3/lock", .locking)
        #expect(lock?.tryLock() == true)
        let store = try directory.store(limit: 0)
        #expect(directory.metadata.count == 1 && store.statistics.responses == 1)
        #expect(lock != nil)
        lock = nil
        store.maintain()
        #expect(directory.metadata.isEmpty && directory.contents.isEmpty && store.statistics.responses == 0)
    }
}
