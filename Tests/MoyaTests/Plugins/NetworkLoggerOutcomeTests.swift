import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct NetworkLoggerOutcomeTests {
    private typealias Login = NetworkLoggerPluginTests.Login

    private let log = Log()

    private func configuration(
        _ options: NetworkLoggerPlugin.LogOptions = .default, redaction: Redaction = .all
    ) -> NetworkLoggerPlugin.Configuration {
        NetworkLoggerPlugin.Configuration(
            formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
            output: { [log] _, items in for item in items { log.add(item) } }, logOptions: options,
            redaction: redaction)
    }

    @Test("there is no line for a body that is empty, or was streamed")
    func noBody() async throws {
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose, redaction: .nothing))
        let provider = MoyaProvider<Login>(
            transport: ScriptedTransport { _ in .text("a") }, plugins: [plugin])
        for try await _ in try await provider.streamedResponse(.zen) {}
        #expect(log.entries.contains { $0.hasPrefix("Response: ") })
        #expect(!log.entries.contains { $0.hasPrefix("Response Body") })
    }

    @Test("with only secret names hidden, counts of secrets are shown")
    func showsCounts() async throws {
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose, redaction: .secretNames))
        let headers: HTTPHeaders = ["X-Limit-Tokens": "150000", "X-Reset-Tokens": "a150001"]
        let provider = MoyaProvider<Login>(
            transport: ScriptedTransport { _ in .text("", headers: headers) }, plugins: [plugin])
        _ = try await provider.response(.zen)
        let text = log.entries.joined()
        #expect(text.contains("150000") && !text.contains("150001"))
    }

    @Test("each attempt has the number of its request, and the outcome has the duration")
    func numbersAttempts() async throws {
        let count = Box(0)
        var own = configuration(.init())
        own.output = { [log] _, items in
            for item in items { log.add(item.replacing(/\sin \d+ ms/, with: " in n ms")) }
        }
        let transport = ScriptedTransport { _ in
            count.change { $0 += 1 }
            return count.value == 1 ? .failure(.timedOut) : .text("ok")
        }
        let provider = MoyaProvider<Login>(
            transport: transport, plugins: [NetworkLoggerPlugin(configuration: own)],
            interceptors: [RetryInterceptor(.constant(.zero, times: 1))])
        _ = try await provider.response(.zen)
        let number = try #require(log.entries.first?.firstMatch(of: /#\d+/)?.output)
        let url = "https://a.example/v1/login?page=***&token=***"
        expectEqual(
            log.entries,
            [
                "Request: \(number) \(url)", "Error: \(number) Login.zen: timeout (-1001) in n ms",
                "Request: \(number) attempt 2 \(url)", "Response: \(number) attempt 2 200 \(url) in n ms []",
            ])
    }

    @Test("the URL of a response that was made by hand is that of its head, or of the request")
    func urlsOfResponses() throws {
        let url = try #require(URL(string: "https://b.example/x?token=1"))
        let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let plugin = NetworkLoggerPlugin(configuration: configuration())
        plugin.didReceive(.success(Response(statusCode: 200, data: Data(), response: head)), target: Login.zen)
        let request = RequestType(request: URLRequest(url: url))
        plugin.didReceive(.success(Response(statusCode: 200, data: Data())), for: request, target: Login.zen)
        expectEqual(log.entries, Array(repeating: "Response: 200 https://b.example/x?token=*** []", count: 2))
    }

    @Test(
        "secrets in text and markup are hidden by name",
        arguments: [
            (
                "application/xml", "<a><user>ann</user><password>hunter2</password></a>",
                "<user>ann</user><password>***<"
            ),
            ("text/html", "<input name=\"token\" value=\"hunter2\"> ann", "value=\"***\"> ann"),
            (
                "application/graphql", #"mutation { login(user: "ann", password: "hunter2") }"#,
                #""ann", password: "***")"#
            ),
            ("application/json", #"{"query":"{ login(pwd: \"hunter2\") }","user":"ann"}"#, #"{ login(pwd: \"***\") }"#),
            ("application/json", #"{"user":"ann","token":"hunter2"#, #"{"user":"ann","token":"***"#),
            ("text/plain", "user=ann&access_token=hunter2", "user=ann&access_token=***"),
            ("text/plain", "https://ann:hunter2@b.example/x", "https://ann:***@b.example/x"),
            ("application/x-www-form-urlencoded", "user=ann;token=hunter2&code=hunter2", "user=ann;token=***&code=***"),
            ("application/json", #"{"code":"not_found","message":"The token is old"}"#, #""code":"not_found""#),
        ])
    func hidesInText(_ type: String, _ content: String, _ shown: String) throws {
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose, redaction: .secretNames))
        let response = Response(statusCode: 200, data: Data(content.utf8), headers: ["Content-Type": type])
        plugin.didReceive(.success(response), target: Login.zen)
        #expect(log.entries.last?.contains(shown) == true && !log.entries.contains { $0.contains("hunter2") })
    }
}
