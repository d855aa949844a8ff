import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct DiskResponseStoreTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A cache on the directory, whose server numbers its responses.
    private func fixture(
        limit: Int = 1 << 20, files: any FileSystem = LocalFileSystem(), headers: HTTPHeaders = fresh
    ) throws -> CacheFixture {
        CacheFixture(try directory.cache(limit: limit, files: files)) { _, number in (200, headers, "\(number)") }
    }

    @Test("a stored response is found by another cache on the same directory")
    func persists() throws {
        let headers = HTTPHeaders(
            dictionaryLiteral: ("A", "2"), ("B", "é"), ("A", "1"), ("Cache-Control", "max-age=60"))
        let first = try fixture(headers: headers)
        _ = try first.send(.get, "https://a.test/x?q=1", ["Authorization": "token"])
        let second = try fixture()
        let stored = try second.send(.get, "https://A.test/x?q=1", ["Authorization": "token"])
        #expect(second.arrivals == 0 && stored.text == "1" && stored.status?.isHit == true)
        #expect(stored.headers.values(for: "A") == ["2", "1"] && stored.headers["B"] == "é")
        #expect(second.cache.statistics.responses == 1 && second.cache.statistics.writes == 0)
        _ = try second.send(.get, "https://a.test/x?q=1", ["Authorization": "other"])
        _ = try second.send(.get, "https://a.test/x?q=2", ["Authorization": "token"])
        expectEqual(second.arrivals, 2)
    }

    @Test("17, 30, 32: variants and users are stored side by side, and an unsafe method removes all of them")
    func keepsVariants() throws {
        let fixture = CacheFixture(try directory.cache()) { request, number in
            request.method == .post ? (200, [:], "") : (200, Self.fresh.merging(["Vary": "Accept"]), "\(number)")
        }
        let requests: [HTTPHeaders] = [[:], ["Accept": "a"], ["Accept": "b"], ["Authorization": "u", "Accept": "a"]]
        for _ in 0..<2 { for fields in requests { _ = try fixture.send(.get, "https://a.test/x", fields) } }
        #expect(fixture.arrivals == 4 && directory.metadata.count == 4 && directory.contents.count == 4)
        _ = try fixture.send(.post)
        #expect(directory.metadata.isEmpty && directory.contents.isEmpty)
        #expect(fixture.cache.statistics.responses == 0 && fixture.cache.statistics.bytes == 0)
    }

    @Test("22: a confirmed response keeps its content file, and gets new fields")
    func updates() throws {
        let fixture = CacheFixture(try directory.cache()) { request, number in
            (request.headers["If-None-Match"] == nil ? 200 : 304, Self.fresh.merging(["N": "\(number)"]), "abc")
        }
        _ = try fixture.send()
        let content = directory.contents
        fixture.time.advance(by: .seconds(60))
        try expectEqual(fixture.send().headers["N"], "2")
        let stored = try fixture.send()
        #expect(stored.headers["N"] == "2" && stored.text == "abc" && fixture.arrivals == 2)
        #expect(directory.contents == content && directory.metadata.count == 1)
    }

    @Test("22: a confirmed response whose new fields are too long is removed with its content")
    func removesTooLongMetadata() throws {
        let long = String(repeating: "a", count: StoredMetadata.maximumLength)
        let fixture = CacheFixture(try directory.cache(limit: 8 << 20)) { request, number in
            let isConfirmed = request.headers["If-None-Match"] != nil
            return (isConfirmed ? 304 : 200, Self.fresh.merging(["N": isConfirmed ? long : ""]), "\(number)")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(60))
        for text in ["1", "3", "3"] { try expectEqual(fixture.send().text, text) }
        #expect(directory.metadata.count == 1 && directory.contents.count == 1)
    }

    @Test("a replaced response leaves no file")
    func replaces() throws {
        let fixture = try fixture()
        for _ in 0..<3 { _ = try fixture.send(.get, "https://a.test/x", ["Cache-Control": "no-cache, max-age=0"]) }
        #expect(directory.metadata.count == 1 && directory.contents.count == 1 && directory.temporaryFiles.isEmpty)
        #expect(fixture.cache.statistics.responses == 1 && fixture.cache.statistics.writes == 3)
    }

    @Test("removeAll removes all responses, and nothing else")
    func removesAll() throws {
        let fixture = try fixture()
        let other = "\(directory.path)/other"
        try Data("a".utf8).write(to: URL(filePath: other))
        for number in 0..<5 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        fixture.cache.removeAll()
        let names = Set(directory.files().map { ($0 as NSString).lastPathComponent })
        expectEqual(names.subtracting(["lock"]), ["other", "CACHEDIR.TAG"])
        #expect(fixture.cache.statistics.responses == 0 && fixture.cache.statistics.bytes == 0)
        _ = try fixture.send(.get, "https://a.test/1")
        _ = try fixture.send(.get, "https://a.test/1")
        expectEqual(fixture.arrivals, 6)
    }

    @Test("43: the limit holds, and least recently used responses are removed first", arguments: [1, 3])
    func keepsLimit(_ caches: Int) throws {
        let limit = 200_000
        let fixtures = try (0..<caches).map { _ in
            CacheFixture(try directory.cache(limit: limit)) { _, _ in
                (200, Self.fresh, String(repeating: "a", count: 2000))
            }
        }
        for number in 0..<200 {
            _ = try fixtures[number % caches].send(.get, "https://a.test/\(number)")
            if number % 10 == 9 { #expect(directory.bytes <= limit + limit / 10) }
        }
        #expect(directory.bytes > limit / 2)
        expectEqual(directory.contents.count, directory.metadata.count)
    }

    @Test("43: eviction follows the time of use")
    func evictsOldest() throws {
        let fixture = CacheFixture(try directory.cache(limit: 100_000)) { _, _ in
            (200, Self.fresh, String(repeating: "a", count: 8000))
        }
        for number in 0..<8 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        for file in directory.metadata { try directory.age(file, by: 600) }
        for number in [0, 5] { #expect(try fixture.send(.get, "https://a.test/\(number)").status?.isHit == true) }
        for number in 8..<14 { _ = try fixture.send(.get, "https://a.test/\(number)") }
        let arrivals = fixture.arrivals
        for number in [0, 5, 13] {
            #expect(try fixture.send(.get, "https://a.test/\(number)").status?.isHit == true, "\(number)")
        }
        #expect(fixture.arrivals == arrivals && directory.metadata.count < 13)
    }

    @Test("43: a response that is larger than the limit is not written", arguments: [nil, "5000"] as [String?])
    func leavesOutLarge(_ length: String?) throws {
        let headers = Self.fresh.merging(length.map { ["Content-Length": $0] } ?? [:])
        let fixture = CacheFixture(try directory.cache(limit: 4000)) { _, _ in
            (200, headers, String(repeating: "a", count: 5000))
        }
        let response = try fixture.send()
        #expect(response.content.count == 5000 && response.status?.isStored == (length == nil))
        #expect(directory.files(in: "v3").allSatisfy { $0.hasSuffix("lock") })
        expectEqual(fixture.cache.statistics.bytes, 0)
    }

    @Test("a cache without space does not claim to store a response")
    func storesNothing() throws {
        let fixture = try fixture(limit: 0)
        for _ in 0..<2 { try expectEqual(fixture.send().status?.isStored, false) }
        #expect(fixture.cache.statistics.failedWrites == 0 && directory.metadata.isEmpty)
    }

    @Test("30: a look-up lists only the responses of its own user, and all users' responses are removed at once")
    func listsOneUser() throws {
        let listed = Locked<[String]>([])
        let fixture = try fixture(
            files: FaultyFileSystem { kind, path in if kind == .reading { listed.withLock { $0.append(path) } } })
        for user in 0..<20 { _ = try fixture.send(.get, "https://a.test/x", ["Authorization": "\(user)"]) }
        listed.withLock { $0 = [] }
        #expect(try fixture.send(.get, "https://a.test/x", ["Authorization": "7"]).status?.isHit == true)
        let names = listed.withLock { $0 }.flatMap { (try? LocalFileSystem().names(in: $0)) ?? [] }
        #expect(names == ["only"])
        fixture.cache.remove(try #require(URL(string: "https://a.test/x")))
        #expect(directory.metadata.isEmpty && directory.contents.isEmpty && fixture.cache.statistics.responses == 0)
    }

    @Test("a removed response leaves no directory of its user")
    func removesDirectories() throws {
        let fixture = CacheFixture(try directory.cache()) { _, number in
            (200, ["Cache-Control": number % 2 == 1 ? "max-age=60" : "no-store"], "")
        }
        for user in 0..<10 {
            for policy in [.useProtocolCachePolicy, .reloadIgnoringLocalCacheData] as [URLRequest.CachePolicy] {
                _ = try fixture.send(.get, "https://a.test/x", ["Authorization": "\(user)"], policy: policy)
            }
        }
        expectEqual(fixture.cache.statistics.writes, 10)
        let index = try FileManager.default.subpathsOfDirectory(atPath: "\(directory.path)/v3/index")
        expectEqual(index.count, 1)
    }

    @Test("44: responses in another format are removed, directories of others are not")
    func removesOtherVersions() throws {
        let manager = FileManager.default
        // The second one has only what was being removed when its process ended.
        for name in ["v1/index", "v1/content/ab", "v2/tmp/ab", "v4/documents", "vacation/index", "vacation/content"] {
            try manager.createDirectory(atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
        }
        try Data("salt".utf8).write(to: URL(filePath: "\(directory.path)/v2/salt"))
        _ = try fixture().send()
        let names = Set(try manager.contentsOfDirectory(atPath: directory.path))
        expectEqual(names, ["CACHEDIR.TAG", "v3", "v4", "vacation"])
        #expect(directory.temporaryFiles.isEmpty)
        let file = try #require(directory.metadata.first)
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[14] += 1
        try bytes.write(to: URL(filePath: file))
        let next = try fixture()
        _ = try next.send()
        expectEqual(next.arrivals, 1)
    }

    @Test("45: no name and no secret stands in names, and files are private")
    func keepsSecrets() throws {
        let fixture = try fixture(headers: Self.fresh.merging(["Vary": "Authorization, Cookie"]))
        let secrets: HTTPHeaders = ["Authorization": "Bearer token-1", "Cookie": "sid=token-2"]
        for _ in 0..<2 { _ = try fixture.send(.get, "https://host.test/user/ash?key=pikachu", secrets) }
        #expect(fixture.arrivals == 1 && directory.metadata.count == 1)
        let root = directory.path
        for name in FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [] {
            for word in ["host", "ash", "key", "pikachu", "token"] { #expect(!name.contains(word)) }
            let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")[.posixPermissions] as? Int
            let status = try LocalFileSystem().status(of: "\(root)/\(name)")
            expectEqual(mode, status.isDirectory ? 0o700 : 0o600, "\(name)")
        }
        for file in directory.files() {
            let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            #expect(!text.contains("token"))
        }
        let tag = try String(contentsOfFile: "\(root)/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test("46: the statistics of a cache that is never hit show it")
    func showsUselessness() throws {
        let fixture = CacheFixture(try directory.cache()) { _, _ in (200, ["Cache-Control": "no-store"], "") }
        for _ in 0..<3 { _ = try fixture.send() }
        expectEqual(
            fixture.cache.statistics.description,
            "0 hits, 0 validations, 3 forwards; 0 responses of 0 bytes; 0 writes, 0 failed")
    }

    @Test("the directory of a cache must be one", arguments: ["https://a.test/", "file", "file/below"])
    func refusesDirectories(_ name: String) throws {
        try Data().write(to: URL(filePath: "\(directory.path)/file"))
        let url = try #require(
            name.hasPrefix("https") ? URL(string: name) : URL(filePath: "\(directory.path)/\(name)"))
        let error = #expect(throws: TransportError.self) { try HTTPCache(directory: url) }
        #expect(error?.description.contains("Use a") == true)
    }

    @Test("a cache creates its directory, with parents, and follows a symbolic link to it")
    func createsDirectory() async throws {
        let link = "\(directory.path)/link"
        let target = "\(directory.path)/deep/er"
        let origin = ScriptedOrigin { _, _ in (200, ["Cache-Control": "max-age=3600"], "abc") }
        let url = try #require(URL(string: "https://a.test/"))
        let request = try TransportRequest(method: .get, url: url)
        for path in [target, link] {
            // In virtual time, a look-up may take as long as it needs.
            let cache = try HTTPCache(directory: URL(filePath: path))
            let transport = origin.caching(in: cache, scheduler: VirtualTime())
            let outcome = await transport.response(to: request)
            expectEqual(outcome.text, "abc")
            if path == target {
                try await until { cache.statistics.writes == 1 }
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            }
        }
        expectEqual(origin.requests.count, 1)
    }
}

extension Transport {
    /// Sends a request and waits for the response.
    func response(to request: TransportRequest) async -> CollectedResponse {
        let collected = Locked(CollectedResponse())
        return await withCheckedContinuation { continuation in
            _ = start(request) { batch in
                let response = collected.withLock { collected in
                    collected.take(batch)
                    return collected
                }
                if batch.outcome != nil { continuation.resume(returning: response) }
            }
        }
    }
}
