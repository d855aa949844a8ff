import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A disk that returns other bytes than were written, as an app with a cache sees it.
@Suite(.queued, .timeLimit(.minutes(10))) struct DiskIntegrityTests {
    enum Damage: String, CaseIterable {
        case firstBit, lastBit, zeroes, swapped
    }

    private struct Page: TargetType {
        var baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
        var path: String
        var headers: [String: String]?
    }

    /// A cache on a directory, in front of a server with two pages of equal length.
    private final class App: Sendable {
        let provider: MoyaProvider<Page>
        let cache: HTTPCache
        let arrivals = Box(0)

        init(_ folder: TemporaryFolder, length: Int) throws {
            cache = try HTTPCache(directory: folder.url)
            let origin = StubTransport { [arrivals] request in
                arrivals.change { $0 += 1 }
                let head = HTTPURLResponse(
                    url: request.url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=600"])
                let content = DiskIntegrityTests.content(of: request.url.path, length)
                return head.map { .response($0, content) } ?? .networkResponse(500, Data())
            }
            // In virtual time, a look-up may take as long as it needs.
            provider = MoyaProvider<Page>(transport: origin.caching(in: cache, scheduler: VirtualTime()))
        }
    }

    private static func content(of path: String, _ length: Int) -> Data {
        Data(String(repeating: "\(path) has this content. ", count: length / 20 + 1).utf8.prefix(length))
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Stores both pages, damages their content, and returns an app that starts afterwards.
    private func app(_ damage: Damage, length: Int) async throws -> App {
        let first = try App(folder, length: length)
        for path in ["/a", "/b"] {
            try await expectEqual(first.provider.response(Page(path: path)).data, Self.content(of: path, length))
        }
        try await until { first.cache.statistics.writes == 2 }
        let files = try contentFiles(length)
        try #require(files.count == 2)
        let contents = try files.map { try Data(contentsOf: $0) }
        for (file, content) in zip(files, contents) {
            var damaged = content
            switch damage {
            case .firstBit: damaged[0] ^= 1
            case .lastBit: damaged[length - 1] ^= 0x80
            case .zeroes: damaged = Data(count: length)
            case .swapped: damaged = contents.first { $0 != content } ?? content
            }
            try damaged.write(to: file)
        }
        return try App(folder, length: length)
    }

    /// The files that contain a page.
    private func contentFiles(_ length: Int) throws -> [URL] {
        let pages = ["/a", "/b"].map { Self.content(of: $0, length) }
        let names = FileManager.default.enumerator(atPath: folder.url.path)?.allObjects as? [String] ?? []
        return names.map { folder.file($0) }.filter { file in
            (try? Data(contentsOf: file)).map { data in pages.contains { data.range(of: $0) != nil } } ?? false
        }
    }

    @Test(
        "damaged content is a miss, and never the content of a response",
        arguments: Damage.allCases, [10, 64 << 10, 200_000])
    func isNotServed(_ damage: Damage, _ length: Int) async throws {
        let app = try await app(damage, length: length)
        for path in ["/a", "/b"] {
            try await expectEqual(app.provider.response(Page(path: path)).data, Self.content(of: path, length))
        }
        expectEqual(app.arrivals.value, 2)
        expectEqual(app.cache.statistics.hits, 0)
        try await until { app.cache.statistics.writes == 2 }
        #expect(try await app.provider.response(Page(path: "/a")).cacheStatus?.isHit == true)
    }

    @Test(
        "damaged content is not streamed: the response is sent again, or ends with an error", arguments: Damage.allCases
    )
    func isNotStreamed(_ damage: Damage) async throws {
        let length = 200_000
        let app = try await app(damage, length: length)
        let whole = Self.content(of: "/a", length)
        var received = Data()
        do {
            let response = try await app.provider.streamedResponse(Page(path: "/a"))
            for try await chunk in response { received += chunk }
            expectEqual(received, whole)
        } catch {
            expectEqual((error as? MoyaError)?.kind, .connectionLost)
            #expect(damage == .lastBit && !received.isEmpty && whole.starts(with: received))
        }
        // The damaged response was removed.
        received = Data()
        for try await chunk in try await app.provider.streamedResponse(Page(path: "/a")) { received += chunk }
        #expect(received == whole && app.arrivals.value == 1)
    }

    @Test("a requested range of damaged content is not served", arguments: Damage.allCases)
    func isNotServedInPart(_ damage: Damage) async throws {
        let length = 200_000
        let app = try await app(damage, length: length)
        let range = Page(path: "/a", headers: ["Range": "bytes=199000-199999"])
        let response = try await app.provider.response(range)
        let content = Self.content(of: "/a", length)
        // The end of the content is intact if only its first bit was damaged.
        expectEqual(response.data, response.statusCode == 206 ? content.suffix(1000) : content)
        expectEqual(app.arrivals.value == 0, damage == .firstBit)
    }
}
