import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Content that is sent slowly.
@Suite(.enabled(if: address("MOYA_HTTPBIN") != nil), .queued, .timeLimit(.minutes(10)))
struct StreamTests {
    private struct Line: Decodable, Sendable {
        var id: Int
    }

    @Test("lines of JSON are decoded to values", arguments: TransportKind.allCases)
    func lines(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        var ids: [Int] = []
        for try await line in try await provider.streamedResponse(Page(path: "/stream/50")).jsonLines(Line.self) {
            ids.append(line.id)
        }
        expectEqual(ids, Array(0..<50))
        let stream = provider.requestStream(Page(path: "/stream/50")).jsonLines(Line.self).map(\.id).toArray()
        try await expectEqual(stream.value(), Array(0..<50))
    }

    @Test("no byte of chunked content is lost", arguments: TransportKind.allCases)
    func bytes(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        var count = 0
        for try await chunk in try await provider.streamedResponse(
            Page(path: "/stream-bytes/100000?chunk_size=777"))
        {
            count += chunk.count
        }
        expectEqual(count, 100_000)
        var content = Data()
        for try await chunk in try await provider.streamedResponse(Page(path: "/range/100000?chunk_size=777")) {
            content.append(chunk)
        }
        expectEqual(content.count, 100_000)
        #expect(isRepeatedAlphabet(content))
    }

    /// Whether the content is the repeated alphabet.
    private func isRepeatedAlphabet(_ data: Data) -> Bool {
        data.enumerated().allSatisfy { $1 == UInt8(97 + $0 % 26) }
    }

    @Test("content that is sent byte by byte arrives", arguments: TransportKind.allCases)
    func drops(_ kind: TransportKind) async throws {
        let timeouts = Timeouts(idle: .seconds(30))
        let provider = try kind.provider("MOYA_HTTPBIN", timeouts: timeouts)
        let page = Page(path: "/drip?duration=1&numbytes=4&delay=0&code=207")
        let response = try await provider.streamedResponse(page)
        expectEqual(response.statusCode, 207)
        var drops: [Int] = []
        for try await drop in response { drops.append(drop.count) }
        expectEqual(drops.reduce(0, +), 4)
        #expect(drops.count > 1)
    }

    /// Returns the kind of the error of a request, which must be delivered long before the end of the response.
    private func impatience(_ kind: TransportKind, _ path: String, _ timeouts: Timeouts) async throws -> MoyaError.Kind?
    {
        let provider = try kind.provider("MOYA_HTTPBIN", timeouts: timeouts)
        let begun = ContinuousClock.now
        let error = await errorKind { () throws(MoyaError) in _ = try await provider.response(Page(path: path)) }
        let patience = ContinuousClock.now - begun
        #expect(patience < .seconds(8))
        return error
    }

    @Test("the idle deadline and the total deadline end a request", arguments: TransportKind.allCases)
    func deadlines(_ kind: TransportKind) async throws {
        let idle = Timeouts(idle: .milliseconds(300))
        try await expectEqual(impatience(kind, "/delay/10", idle), .timeout)
        try await expectEqual(impatience(kind, "/drip?duration=20&numbytes=10&delay=0", idle), .timeout)
        let total = Timeouts(total: .milliseconds(600))
        try await expectEqual(impatience(kind, "/delay/10", total), .timeout)
        try await expectEqual(impatience(kind, "/drip?duration=10&numbytes=100&delay=0", total), .timeout)
    }

    @Test("a cancelled task ends without waiting for the response", arguments: TransportKind.allCases)
    func cancels(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        for path in ["/delay/10", "/drip?duration=10&numbytes=100&delay=0"] {
            let begun = ContinuousClock.now
            let (drops, drop) = AsyncStream<Void>.makeStream()
            let request = Task {
                await errorKind { () throws(MoyaError) in
                    _ = try await provider.response(Page(path: path)) { _ in drop.yield() }
                }
            }
            if path.hasPrefix("/drip") { for await _ in drops.prefix(1) {} }
            request.cancel()
            await expectEqual(request.value, .cancelled)
            let patience = ContinuousClock.now - begun
            #expect(patience < .seconds(8))
        }
    }

    @Test("an interrupted download is resumed", arguments: TransportKind.allCases)
    func resumption(_ kind: TransportKind) async throws {
        try await withFolder { folder in
            let provider = try kind.provider("MOYA_HTTPBIN")
            let place = folder.appending(path: "whole")
            let partial = folder.appending(path: "part")
            func page(_ query: String) -> Page {
                Page(
                    path: "/range/100000\(query)",
                    task: .downloadDestination({ _, _ in (place, []) }, partialFile: partial))
            }
            let (reports, report) = AsyncStream<Int64>.makeStream()
            let interrupted = Task {
                await errorKind { () throws(MoyaError) in
                    _ = try await provider.response(page("?duration=20&chunk_size=1000")) {
                        report.yield($0.completedUnitCount)
                    }
                }
            }
            for await bytes in reports where bytes >= 5000 { break }
            interrupted.cancel()
            await expectEqual(interrupted.value, .cancelled)
            let first = try Data(contentsOf: partial).count
            #expect((5000..<100_000).contains(first))
            let rest = try await provider.response(page(""))
            expectEqual(rest.statusCode, 206)
            expectEqual(rest.headers["Content-Range"], "bytes \(first)-99999/100000")
            let whole = try Data(contentsOf: place)
            expectEqual(whole.count, 100_000)
            #expect(isRepeatedAlphabet(whole))
        }
    }

    @Test(
        "a range is delivered as requested, and a range beyond the end is an error", arguments: TransportKind.allCases)
    func ranges(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let part = try await provider.response(Page(path: "/range/26", headers: ["Range": "bytes=2-4"]))
        expectEqual(part.statusCode, 206)
        try expectEqual(part.mapString(), "cde")
        let none = try await provider.response(Page(path: "/range/26", headers: ["Range": "bytes=30-40"]))
        expectEqual(none.statusCode, 416)
    }
}
