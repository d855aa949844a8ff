import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Content that is too large to be buffered in memory.
///
/// The tests measure the memory of the process and must run alone: `swift test --no-parallel`.
@Suite(.enabled(if: address("MOYA_HTTP") != nil), .queued, .timeLimit(.minutes(10)))
struct BigFileTests {
    private static let megabyte: Int64 = 1 << 20
    /// The maximum additional memory of a transfer, in bytes.
    private static let most = 60 * megabyte
    private static let size = 200 * megabyte

    /// Returns the memory in use, in bytes; 0 if it is not known.
    private func memory() -> Int64 {
        let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int64(line.filter(\.isNumber)) ?? 0) << 10
    }

    /// Returns the maximum additional memory that was sampled during a transfer.
    private func growth(_ body: (_ look: @escaping @Sendable () -> Void) async throws -> Void) async throws -> Int64 {
        let before = memory()
        let peak = Locked(before)
        let look: @Sendable () -> Void = { peak.withLock { $0 = max($0, memory()) } }
        try await body(look)
        look()
        return peak.withLock { $0 } - before
    }

    private func download(_ kind: TransportKind, from server: String, most: Int64 = Self.most) async throws {
        try await withFolder { folder in
            let provider = try kind.provider(server)
            let place = folder.appending(path: "huge.bin")
            let page = Page(path: "/huge.bin", task: .downloadDestination({ _, _ in (place, []) }))
            let reported = Locked<Int64>(0)
            let growth = try await growth { look in
                let response = try await provider.response(page) { progress in
                    // Sampling is slow, so that it is not done for each chunk.
                    let isTime = reported.withLock { reported in
                        guard progress.completedUnitCount >= reported + 4 * Self.megabyte else { return false }
                        reported = progress.completedUnitCount
                        return true
                    }
                    if isTime { look() }
                }
                expectEqual(response.fileURL, place)
            }
            let size = try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int64
            expectEqual(size, Self.size)
            #expect(growth < (kind.lacks[.backpressure] == nil ? most : most + Self.size))
            #expect(reported.withLock { $0 } > 190 * Self.megabyte)
        }
    }

    @Test("a huge file is downloaded without being buffered in memory", arguments: TransportKind.allCases)
    func downloads(_ kind: TransportKind) async throws {
        try await download(kind, from: "MOYA_HTTP")
    }

    @Test(
        "a huge file is downloaded by HTTP/2 without being buffered in memory",
        arguments: TransportKind.with(.ownAuthorities))
    func downloadsByHTTP2(_ kind: TransportKind) async throws {
        // Versions of libcurl before 7.88 buffer a window of 32 MB several times.
        let isOld = Libcurl.loaded == .below788
        try await download(kind, from: "MOYA_TLS_GOOD", most: isOld ? 2 * Self.most : Self.most)
    }

    @Test(
        "a stream that is read slowly leaves its HTTP/2 connection to other requests",
        arguments: TransportKind.with(.ownAuthorities).filter { $0.rawValue == "curl" })
    func pausedStream(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_TLS_GOOD")
        let chunks = try await provider.streamedResponse(Page(path: "/huge.bin")).makeAsyncIterator()
        for _ in 0..<5 {
            let metrics = try await provider.response(Page(path: "/")).metrics
            expectEqual(metrics?.version, "HTTP/2")
            expectEqual(metrics?.isReusedConnection, true)
        }
        withExtendedLifetime(chunks) {}
    }

    private func upload(_ kind: TransportKind, to server: String) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "huge.bin")
            let size = 100 * Self.megabyte
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            for mark in stride(from: 0, to: size, by: 10 << 20) {
                try handle.seek(toOffset: UInt64(mark))
                try handle.write(contentsOf: Data("mark \(mark)".utf8))
            }
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
            let provider = try kind.provider(server)
            let path = "/put/\(UUID().uuidString).bin"
            let growth = try await growth { look in
                let sent = Locked<Int64>(0)
                let page = Page(path: path, method: .put, task: .uploadFile(file))
                let response = try await provider.response(page) { progress in
                    sent.withLock { $0 = max($0, progress.completedUnitCount) }
                    look()
                }
                expectEqual(response.statusCode, 201)
                expectEqual(sent.withLock { $0 }, size)
            }
            #expect(growth < Self.most)
            let head = try await provider.response(Page(path: path, method: .head))
            expectEqual(head.headers["Content-Length"], "\(size)")
            let mark = 50 << 20
            let range = ["Range": "bytes=\(mark)-\(mark + 12)"]
            try await expectEqual(provider.response(Page(path: path, headers: range)).mapString(), "mark \(mark)")
            try await expectEqual(provider.response(Page(path: path, method: .delete)).statusCode, 204)
        }
    }

    @Test("a huge file is uploaded without being buffered in memory", arguments: TransportKind.allCases)
    func uploads(_ kind: TransportKind) async throws {
        try await upload(kind, to: "MOYA_HTTP")
    }

    @Test(
        "a huge file is uploaded by HTTP/2 without being buffered in memory",
        arguments: TransportKind.with(.ownAuthorities))
    func uploadsByHTTP2(_ kind: TransportKind) async throws {
        try await upload(kind, to: "MOYA_TLS_GOOD")
    }

    /// Counts the bytes that are asked for at a time.
    private struct Counting: BodyReader {
        let largest: Box<Int>
        var rest = 1 << 20
        mutating func read(upTo count: Int) -> BodyPart {
            largest.change { $0 = max($0, count) }
            guard rest > 0 else { return .end }
            let part = min(count, rest)
            rest -= part
            return .data(Data(count: part))
        }
    }

    @Test("content over TLS is read in parts of a record, between which an early refusal is seen")
    func partsOfRecords() async throws {
        let kind = try #require(TransportKind.with(.ownAuthorities).first)
        let largest = Box(0)
        let body = RequestBody.stream(length: 1 << 20) { _ in Counting(largest: largest) }
        let content = RequestTask.upload(body, contentType: "application/octet-stream")
        _ = try await kind.provider("MOYA_TLS_GOOD").response(
            Page(path: "/put/records.bin", method: .put, task: content))
        #expect((1...16384).contains(largest.value))
    }

    @Test("content that is too large for the server gives status 413", arguments: TransportKind.allCases)
    func tooLarge(_ kind: TransportKind) async throws {
        try await tooLarge(kind, "MOYA_HTTP")
    }

    @Test("content that is too large gives status 413 with HTTP/2", arguments: TransportKind.with(.ownAuthorities))
    func tooLargeByHTTP2(_ kind: TransportKind) async throws {
        try await tooLarge(kind, "MOYA_TLS_GOOD")
    }

    private func tooLarge(_ kind: TransportKind, _ server: String) async throws {
        let provider = try kind.provider(server)
        let content = RequestTask.requestData(Data(repeating: 7, count: 20 << 20))
        let response = try await provider.response(Page(path: "/limited/a.bin", method: .put, task: content))
        expectEqual(response.statusCode, 413)
        try await expectEqual(provider.response(Page(path: "/zen.txt")).data.count, 43)
    }
}
