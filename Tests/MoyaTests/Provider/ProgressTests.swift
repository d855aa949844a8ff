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
}
