import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

private struct Upload: TargetType {
    let baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
    let path = "/"
    let method = HTTPMethod.post
    let task: RequestTask
}

private struct Encryption: RequestPlugin {
    func prepare(_ request: inout TransportRequest, target: any RelativeTarget) { request.content = Data("x".utf8) }
}

/// What interceptors and plugins put in the place of a request's content, or of a failure.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReplacedContentTests {
    static let tasks: [RequestTask] = [
        .requestPlain, .requestData(Data("plain".utf8)), .upload(.data(Data("plain".utf8))),
        .upload(.stream { AsyncStream { $0.finish() } }), .uploadFile(URL(filePath: "/missing")),
        .uploadMultipartFormData(MultipartFormData(parts: [.init(provider: .data(Data("plain".utf8)), name: "a")])),
    ]

    @Test("the content that a plugin or an interceptor sets is sent, whatever the task", arguments: tasks.indices)
    func contentOfPlugins(_ index: Int) async throws {
        let origin = ScriptedTransport { request in .text(String(decoding: request.content ?? Data(), as: UTF8.self)) }
        let encrypting = AsyncInterceptor { request, _ in
            var request = request
            request.content = Data("x".utf8)
            return request
        }
        let target = Upload(task: Self.tasks[index])
        let byPlugin = MoyaProvider<Upload>(transport: origin, plugins: [Encryption()])
        try await expectEqual(byPlugin.response(target).data, Data("x".utf8))
        let byInterceptor = MoyaProvider<Upload>(transport: origin, interceptors: [encrypting])
        try await expectEqual(byInterceptor.response(target).data, Data("x".utf8))
    }

    private struct Fallback: PluginType {
        func process(
            _ result: Result<Response, MoyaError>, target: any RelativeTarget
        ) -> Result<Response, MoyaError> { .success(Response(statusCode: 200, data: Data("[5]\n".utf8))) }
    }

    @Test("the response that a plugin puts in the place of a failure has its content in a stream, too")
    func contentOfAFallback() async throws {
        let origin = ScriptedTransport { _ in .failure(.cannotConnectToHost) }
        let provider = MoyaProvider<Page>(transport: origin, plugins: [Fallback()])
        try await expectEqual(provider.streamedResponse(Page()).reduce(Data(), +), Data("[5]\n".utf8))
        var lines: [[Int]] = []
        for try await line in try await provider.streamedResponse(Page()).jsonLines([Int].self) { lines.append(line) }
        expectEqual(lines, [[5]])
    }

    private struct Replacing: PluginType {
        let statusCode: Int

        func process(
            _ result: Result<Response, MoyaError>, target: any RelativeTarget
        ) -> Result<Response, MoyaError> { .success(Response(statusCode: statusCode, data: Data("replaced".utf8))) }
    }

    private static func events(
        of batches: [TransportEvents], validation: ValidationType = .none
    ) async throws -> [String] {
        let provider = MoyaProvider<Validated>(
            transport: ScriptedTransport { _ in batches }, plugins: [Replacing(statusCode: 203)])
        let log = Log()
        let end = Promise<Void>()
        provider.requestStream(Validated(validationType: validation), callbackQueue: .serial(label: "t")) {
            switch $0 {
            case .head(let head): log.add("head \(head.statusCode)")
            case .chunk(let data): log.add(String(decoding: data, as: UTF8.self))
            }
        } completion: { result in
            log.add("end \((try? result.get())?.data.count ?? -1)")
            end.fulfill(())
        }
        try await end.value()
        return log.entries
    }

    private struct Validated: TargetType {
        let baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
        let path = "/"
        let validationType: ValidationType
    }

    @Test("a stream receives a replaced response only in the place of a failure of which it has received nothing")
    func replacedResponses() async throws {
        try await expectEqual(Self.events(of: .text("own")), ["head 200", "own", "end 0"])
        try await expectEqual(Self.events(of: .failure(.badURL)), ["head 203", "replaced", "end 0"])
        try await expectEqual(
            Self.events(of: .response(404, "own"), validation: .successCodes), ["head 203", "replaced", "end 0"])
        let head = TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]))
        try await expectEqual(
            Self.events(of: [head, TransportEvents(chunks: [Data("own".utf8)])] + .failure(.networkConnectionLost)),
            ["head 200", "own", "end 0"])
    }

    @Test("parts of a form with streams of other lengths than declared are not sent, also if the sum is right")
    func lengthsOfParts() async throws {
        let server = try LoopbackServer { _ in .text("received") }
        defer { server.stop() }
        let parts = [5, 1].map { length in
            MultipartFormBodyPart(
                provider: .stream(length: length) {
                    AsyncStream {
                        $0.yield(Data("abc".utf8)); $0.finish()
                    }
                },
                name: "a")
        }
        let target = Local(server, method: .post, task: .uploadMultipartFormData(MultipartFormData(parts: parts)))
        await #expect(throws: MoyaError.self) { try await MoyaProvider<Local>().response(target) }
    }

    @Test("an interim response counts as activity", arguments: TransportKind.allCases)
    func interimResponses(_ kind: TransportKind) async throws {
        let batches = Box(0)
        let server = try LoopbackServer { _ in
            .text("content").after(.waitUntil { batches.value > 0 }).after(interim: 102)
        }
        defer { server.stop() }
        let end = Promise<TransportOutcome>()
        let request = try TransportRequest(method: .get, url: server.url)
        let exchange = try kind.make().start(request) { batch in
            batches.change { $0 += 1 }
            batch.outcome.map { end.fulfill($0) }
        }
        #expect(try await end.value().error == nil)
        withExtendedLifetime(exchange) {}
    }
}
