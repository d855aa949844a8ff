import Foundation
import Moya
import TestSupport
import Testing

private struct Body: TargetType {
    let baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
    let path = "/"
    let method = HTTPMethod.post
    let task: RequestTask
    var headers: [String: String]?
}

@Suite(.queued, .timeLimit(.minutes(10))) struct CURLDescriptionTests {
    private struct Describing: PluginType {
        let log: Log

        func willSend(_ request: RequestType, target: any RelativeTarget) {
            log.add(request.cURLDescription(redaction: .nothing))
        }
    }

    @Test(
        "a command has the content byte for byte, or a comment in its place",
        arguments: [([0xEF, 0xBB, 0xBF, 0x61], true), ([0x61, 0, 0x62], false), ([0xFF], false), ([0x61], true)])
    func content(_ bytes: [UInt8], _ isText: Bool) throws {
        let log = Log()
        let provider = MoyaProvider<Body>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Describing(log: log)])
        provider.request(Body(task: .requestData(Data(bytes)))) { _ in }
        let command = try #require(log.entries.first)
        let content = Array("--data-raw '".utf8) + bytes + Array("'".utf8)
        expectEqual(Data(command.utf8).firstRange(of: Data(content)) != nil, isText)
        expectEqual(command.contains("# and \(bytes.count) bytes of content"), !isText)
    }

    @Test("a command in a log has no more content than other lines", arguments: [Redaction.secretNames, .nothing])
    func logged(_ redaction: Redaction) {
        let log = Log()
        let logger = NetworkLoggerPlugin(
            configuration: .init(
                output: { _, items in for item in items { log.add(item) } }, logOptions: .formatRequestAscURL,
                redaction: redaction, maximumBodyLength: 100))
        let provider = MoyaProvider<Body>(stubClosure: MoyaProvider.immediatelyStub, plugins: [logger])
        let content = Data(String(repeating: "a", count: 5000).utf8)
        provider.request(Body(task: .requestData(content), headers: ["Content-Type": "text/plain"])) { _ in }
        let command = log.entries.joined()
        #expect(command.contains("'\(String(repeating: "a", count: 100))… "))
        #expect(command.count < 600)
    }

    @Test(
        "a POST without content has its length, and not the content type of a form",
        arguments: [.requestPlain, .requestData(Data())] as [RequestTask])
    func noContent(_ task: RequestTask) {
        let log = Log()
        let provider = MoyaProvider<Body>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Describing(log: log)])
        provider.request(Body(task: task)) { _ in }
        #expect(log.entries.first?.contains("-H 'Content-Length: 0'") == true)
        #expect(log.entries.first?.contains("--data") == false)
    }

    @Test("a field of the request is not added again, whatever the case of its name")
    func ownFields() throws {
        let log = Log()
        let provider = MoyaProvider<Body>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Describing(log: log)])
        let task = RequestTask.requestData(Data("a".utf8))
        provider.request(Body(task: task, headers: ["content-type": "a/b"])) { _ in }
        #expect(log.entries.first?.contains("-H 'content-type: a/b'") == true)
        #expect(log.entries.first?.contains("octet-stream") == false)
    }
}
