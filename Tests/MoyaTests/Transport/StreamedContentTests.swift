import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct StreamedContentTests {
    /// A reader that returns its texts one at a time, and returns `pending` before each.
    private struct Slow: BodyReader {
        var texts: [String]
        var isReady = false
        let resume: @Sendable () -> Void

        mutating func read(upTo count: Int) -> BodyPart {
            defer { isReady.toggle() }
            guard isReady else {
                (DispatchScheduler.background as any Scheduler).schedule(resume)
                return .pending
            }
            return texts.isEmpty ? .end : .data(Data(texts.removeFirst().utf8))
        }
    }

    private func request(
        _ server: LoopbackServer, length: Int64?, _ texts: [String]
    ) throws -> TransportRequest {
        try TransportRequest(
            method: .post, url: server.url,
            body: .stream(length: length) { resume in Slow(texts: texts, resume: resume) })
    }

    @Test(
        "content of a reader that is pending arrives completely",
        arguments: TransportKind.allCases, [nil, 6] as [Int64?])
    func waits(_ kind: TransportKind, _ length: Int64?) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let result = try await kind.make().exchange(request(server, length: length, ["ab", "cd", "ef"]))
        expectEqual(result.text, "abcdef")
        #expect(result.error == nil)
    }

    @Test(
        "a length that differs from the declared one is an error and does not hang", arguments: TransportKind.allCases,
        [5, 7] as [Int64])
    func wrongLength(_ kind: TransportKind, _ length: Int64) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let result = try await kind.make().exchange(request(server, length: length, ["ab", "cd", "ef"]))
        let error = try #require(result.error)
        expectEqual(MoyaError.underlying(error, nil).kind, .request)
        #expect(server.requests.isEmpty)
    }

    @Test("a cancel ends an upload whose reader is pending", arguments: TransportKind.allCases)
    func cancel(_ kind: TransportKind) async throws {
        struct Never: BodyReader {
            func read(upTo count: Int) -> BodyPart { .pending }
        }
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let isOpen = Promise<Void>()
        let body = RequestBody.stream(length: nil) { _ in
            isOpen.fulfill(())
            return Never()
        }
        let transport = try kind.make()
        let exchanging = Exchanging(try TransportRequest(method: .post, url: server.url, body: body), on: transport)
        try await isOpen.value()
        exchanging.cancel()
        let result = try await exchanging.finished()
        expectEqual(result.error?.code, .cancelled)
        expectEqual(result.eventsAfterOutcome, 0)
    }
}
