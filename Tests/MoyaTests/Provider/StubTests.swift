import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct StubTests {
    private let time = VirtualTime()

    private func provider(
        _ sample: @escaping Endpoint.SampleResponseClosure, _ behavior: StubBehavior = .immediate
    ) -> MoyaProvider<MyService> {
        MoyaProvider<MyService>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: sample) },
            stubClosure: { _ in behavior }, scheduler: time)
    }

    private func outcome(_ provider: MoyaProvider<MyService>) -> String {
        let text = Box("nothing")
        provider.request(.zen) { result in
            switch result {
            case .success(let response):
                text.value = "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
            case .failure(let error): text.value = "\(error.kind)"
            }
        }
        return text.value
    }

    @Test func aSequenceGivesOneAfterTheOtherAndRepeatsItsLast() {
        let provider = provider(
            EndpointSampleResponse.sequence([
                .networkError(URLError(.timedOut)), .networkResponse(500, Data()),
                .networkResponse(200, Data("ok".utf8)),
            ]))
        expectEqual((0..<4).map { _ in outcome(provider) }, ["timeout", "500 ", "200 ok", "200 ok"])
        expectEqual(outcome(self.provider(EndpointSampleResponse.sequence([]))), "other")
    }

    @Test("the sample is evaluated when the response is due")
    func lazySample() {
        let isLate = Box(false)
        let provider = provider({ .networkResponse(isLate.value ? 200 : 500, Data()) }, .delayed(seconds: 1))
        let status = Box(0)
        provider.request(.zen) { status.value = (try? $0.get().statusCode) ?? -1 }
        isLate.value = true
        time.run()
        expectEqual(status.value, 200)
    }

    @Test("chunks are delivered over time, with progress")
    func chunks() {
        let chunks = ["one", "two"].map { Data($0.utf8) }
        let provider = provider({ .chunks(201, chunks, every: .seconds(2)) }, .delayed(seconds: 1))
        let log = Log()
        let time = time
        provider.request(
            .zen, progress: { log.add("\(time.elapsed.components.seconds): \($0.completedUnitCount) \($0.completed)") }
        ) { result in
            let response = try? result.get()
            log.add("\(response?.statusCode ?? 0) \(String(decoding: response?.data ?? Data(), as: UTF8.self))")
        }
        time.run()
        expectEqual(log.entries, ["3: 3 false", "5: 6 false", "5: 6 true", "201 onetwo"])
    }

    @Test func aCancelEndsTheChunks() {
        let provider = provider({ .chunks(200, [Data("a".utf8), Data("b".utf8)], every: .seconds(2)) })
        let log = Log()
        let call = provider.request(.zen, progress: { log.add("\($0.completedUnitCount)") }) { result in
            if case .failure(let error) = result { log.add("\(error.kind)") }
        }
        time.advance(by: .seconds(3))
        call.cancel()
        time.run()
        expectEqual(log.entries, ["1", "1", "cancelled"])
    }

    @Test func filesAndResourcesAreSamples() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        expectEqual(outcome(provider { .file(file, statusCode: 202) }), "202 from a file")
        expectEqual(outcome(provider { .file(URL(filePath: "/no/such")) }), "other")
        expectEqual(outcome(provider { .resource("none.json", in: .main) }), "other")
    }

    @Test("the head of a stub is delivered unchanged")
    func head() async throws {
        let head = try #require(
            HTTPURLResponse(
                url: URL(filePath: "/"), statusCode: 204, httpVersion: nil, headerFields: ["ETag": "\"1\""]))
        let response = try await provider { .response(head, Data()) }.response(.zen)
        #expect(response.response === head)
        expectEqual(response.headers["etag"], "\"1\"")
    }
}
