import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// The number of bytes that progress reports.
@Suite(.queued, .timeLimit(.minutes(10))) struct ProgressTests {
    private func progress(
        _ target: Local, _ kind: TransportKind
    ) async throws -> (events: [ProgressResponse], result: Result<Response, MoyaError>) {
        let events = Box<[ProgressResponse]>([])
        let end = Promise<Result<Response, MoyaError>>()
        MoyaProvider<Local>(transport: try kind.make()).request(target) { event in
            events.change { $0.append(event) }
        } completion: { result in
            end.fulfill(result)
        }
        let result = try await end.value()
        return (events.value, result)
    }

    @Test("a progress value can be made from Foundation's Progress, and from the response")
    func madeByHand() {
        let progress = Progress(totalUnitCount: 8)
        progress.completedUnitCount = 2
        expectEqual(ProgressResponse(progress: progress).progress, 0.25)
        #expect(ProgressResponse(progress: Progress(totalUnitCount: -1)).totalUnitCount == nil)
        expectEqual(ProgressResponse().progress, 0)
        #expect(ProgressResponse(response: Response(statusCode: 200, data: Data())).completed)
    }

    @Test("after a failure, the last report has the known numbers", arguments: TransportKind.allCases)
    func truncated(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .truncated(Data(repeating: 1, count: 8000), by: 1000) }
        defer { server.stop() }
        let (events, result) = try await progress(Local(server), kind)
        #expect(throws: MoyaError.self) { try result.get() }
        expectEqual(events.last?.progress, 0.875)
        expectEqual(events.last?.totalUnitCount, 8000)
        expectEqual(events.map(\.progress), events.map(\.progress).sorted())
    }

    static let tasks: [(String, RequestTask)] = [
        ("data", .requestData(Data(repeating: 7, count: 300_000))),
        ("json", .requestJSONEncodable(String(repeating: "a", count: 299_998))),
        (
            "parameters",
            .requestParameters(
                parameters: ["a": String(repeating: "a", count: 299_992)], encoding: JSONEncoding.default)
        ),
        (
            "composite",
            .requestCompositeData(bodyData: Data(repeating: 7, count: 300_000), urlParameters: ["a": 1])
        ),
    ]

    @Test("a request with content reports the number of sent bytes", arguments: tasks.indices, TransportKind.allCases)
    func uploads(_ index: Int, _ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in .text("received \(request.body.count)") }
        defer { server.stop() }
        let (events, result) = try await progress(Local(server, method: .post, task: Self.tasks[index].1), kind)
        try expectEqual(result.get().mapString(), "received 300000")
        expectEqual(events.last?.completedUnitCount, 300_000)
        #expect(events.allSatisfy { $0.totalUnitCount == 300_000 })
        #expect(events.count > 1)
        expectEqual(events.map(\.completedUnitCount), events.map(\.completedUnitCount).sorted())
    }

    @Test("after a cancel on the queue of the callbacks, what waits there is not delivered")
    func cancelledOnItsQueue() async throws {
        let time = VirtualTime()
        let log = Log()
        let origin = ScriptedTransport { _ in
            [TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]))]
                + (1...3).map { _ in TransportEvents(chunks: [Data("abc".utf8)]) }
        }
        let provider = MoyaProvider<Page>(transport: origin)
        let token = Box<(any Cancellable)?>(nil)
        token.value = provider.request(Page(), callbackQueue: time) { value in
            log.add("\(value.completedUnitCount)")
            token.value?.cancel()
        } completion: { result in
            log.add("\(result.failure.map { "\($0.kind)" } ?? "success")")
        }
        time.run()
        expectEqual(log.entries, ["3", "9", "cancelled"])
    }

    @Test("that is also so if the result waits there, too")
    func cancelledAfterTheEnd() async throws {
        let time = VirtualTime()
        let log = Log()
        let provider = MoyaProvider<Page>(
            transport: ScriptedTransport { _ in
                [TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]))]
                    + (1...3).map { _ in TransportEvents(chunks: [Data("abc".utf8)]) }
                    + [TransportEvents(outcome: TransportOutcome(error: nil))]
            })
        let token = Box<(any Cancellable)?>(nil)
        token.value = provider.request(Page(), callbackQueue: time) { value in
            log.add("\(value.completedUnitCount)")
            token.value?.cancel()
        } completion: { _ in
            log.add("end")
        }
        time.run()
        expectEqual(log.entries, ["3", "9", "end"])
    }

    private struct Cancelling: PluginType {
        let cancel: @Sendable () -> Void

        func didReceive(
            _ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget
        ) { cancel() }
    }

    @Test("a cancel while plugins receive the response gives the error of a cancel")
    func cancelledByAPlugin() async throws {
        let provider = Box<MoyaProvider<Page>?>(nil)
        let plugin = Cancelling { provider.value?.cancelAll() }
        let cancelled = MoyaProvider<Page>(transport: ScriptedTransport { _ in .text("a") }, plugins: [plugin])
        provider.value = cancelled
        let error = await #expect(throws: MoyaError.self) { try await cancelled.response(Page()) }
        expectEqual(error?.kind, .cancelled)
        provider.value = nil
    }
}
