import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@testable import MoyaTesting

@Suite(.queued, .timeLimit(.minutes(10))) struct LoopbackServerTests {
    @Test("T11: requests are recorded in order")
    func recordsRequests() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        struct Create: RelativeTarget {
            let path = "/users/é"
            let method = HTTPMethod.post
            let task = RequestTask.requestCompositeData(bodyData: Data("body".utf8), urlParameters: ["q": "a b"])
            let headers: [String: String]? = ["X-One": "1"]
        }
        _ = try await provider.response(Create())
        let request = try #require(server.requests.first)
        expectEqual(request.method, .post)
        expectEqual(request.path, "/users/%C3%A9")
        expectEqual(request.query, "q=a%20b")
        expectEqual(request.headers["x-one"], "1")
        expectEqual(request.body, Data("body".utf8))
        server.forgetRequests()
        #expect(server.requests.isEmpty)
    }

    @Test(
        "the items of a query are decoded, in order",
        arguments: [
            ("/?q=a%20b&page=2&q=%C3%A9", ["q=a b", "page=2", "q=é"]), ("/?flag&empty=&=x", ["flag", "empty=", "=x"]),
            ("/?sum=1+1=2&bad=%zz", ["sum=1+1=2", "bad=%zz"]), ("/?&&", []), ("/?", []), ("/", []),
        ])
    func queryItems(_ target: String, _ expected: [String]) {
        let request = LoopbackRequest(method: .get, target: target, headers: [:], body: Data())
        expectEqual(request.queryItems.map { item in item.name + (item.value.map { "=\($0)" } ?? "") }, expected)
    }

    @Test(
        "RFC 9110, section 8.6: a response with the status code 204 has no length, not even one to HEAD",
        arguments: [(.head, 200, "2"), (.head, 204, nil), (.head, 304, "2"), (.get, 200, "2"), (.get, 204, nil)]
            as [(HTTPMethod, Int, String?)])
    func lengths(_ method: HTTPMethod, _ status: Int, _ expected: String?) async throws {
        struct Get: RelativeTarget {
            let path = "/"
            let method: HTTPMethod
        }
        let server = try LoopbackServer { _ in .data(Data([1, 2]), type: "image/png", status: status) }
        defer { server.stop() }
        let response = try await MoyaProvider<MultiTarget>(baseURL: server.url).response(Get(method: method))
        expectEqual(response.headers["Content-Length"], expected)
    }

    @Test("a reply of events is received as these events, and a reply of data with its type")
    func conveniences() async throws {
        let events = [
            ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", event: "tick", data: "b\n\nc"),
            ServerSentEvent(id: "", data: "", retry: .milliseconds(1500)),
            ServerSentEvent(id: "é", data: " d", retry: .milliseconds(1500)),
        ]
        let server = try LoopbackServer { request in
            request.path == "/events" ? .events(events) : .data(Data([1, 2]), type: "image/png", status: 201)
        }
        defer { server.stop() }
        struct Get: RelativeTarget { let path: String }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        try await expectEqual(provider.requestStream(Get(path: "/events")).serverSentEvents().toArray().value(), events)
        let head = try await provider.response(Get(path: "/events"))
        expectEqual(head.headers["Content-Type"], "text/event-stream")
        let data = try await provider.response(Get(path: "/data"))
        expectEqual(data.statusCode, 201)
        expectEqual(data.data, Data([1, 2]))
        expectEqual(data.headers["Content-Type"], "image/png")
    }

    @Test("T11: no connection is accepted after `stop`")
    func stops() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        struct Root: RelativeTarget { let path = "" }
        _ = try await provider.response(Root())
        server.stop()
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Root()) }
        expectEqual(error?.kind, .unreachable)
    }

    private enum Service: TargetType, CaseIterable {
        case zen, search, create, gone
        // swift-format-ignore: NeverForceUnwrap
        var baseURL: URL { URL(string: "https://api.example/v1")! }
        var path: String { self == .search ? "/search" : "/\(self)" }
        var method: HTTPMethod { self == .create ? .post : .get }
        var task: RequestTask {
            self == .search
                ? .requestParameters(parameters: ["q": "a b"], encoding: URLEncoding.default) : .requestPlain
        }
        var sampleData: Data { Data("sample of \(self)".utf8) }
    }

    @Test("T11: the server replies to targets with their sample data, over a real socket")
    func servesTargets() async throws {
        let server = try LoopbackServer(serving: [Service.zen, .search, .create])
        defer { server.stop() }
        let provider = MoyaProvider<Service>(endpointClosure: { target in
            let own = MoyaProvider<Service>.defaultEndpointMapping(for: target)
            return Endpoint(
                url: server.url.appending(path: target.path).absoluteString,
                sampleResponseClosure: own.sampleResponseClosure, method: own.method, task: own.task,
                httpHeaderFields: own.httpHeaderFields)
        })
        for target in Service.allCases {
            let response = try await provider.response(target)
            expectEqual(response.statusCode, target == .gone ? 404 : 200)
            let expected = target == .gone ? "no target for GET /gone" : "sample of \(target)"
            try expectEqual(response.mapString(), expected)
        }
    }

    @Test("T11: the server replies to targets without a base URL")
    func servesRelativeTargets() async throws {
        struct Item: RelativeTarget {
            let path = "/items/{id}"
            let id: Int
            var sampleData: Data { Data("item \(id)".utf8) }
        }
        let server = try LoopbackServer(serving: [Item(id: 7)])
        defer { server.stop() }
        let provider = MoyaProvider<Item>(baseURL: server.url)
        try await expectEqual(provider.response(Item(id: 7)).mapString(), "item 7")
        try await expectEqual(provider.response(Item(id: 8)).statusCode, 404)
    }

    @Test("RFC 9110, section 9.3.2: no reply to HEAD has content, and the connection stays usable")
    func repliesToHead() async throws {
        struct Get: RelativeTarget {
            let path = "/"
            let method: HTTPMethod
        }
        let content = Data("content".utf8)
        for reply in [
            LoopbackReply.chunked([content], every: .milliseconds(5)), .drip(content),
            .events([ServerSentEvent(data: "1")]),
        ] {
            let server = try LoopbackServer(replies: [reply, .text("next")])
            defer { server.stop() }
            let provider = MoyaProvider<Get>(baseURL: server.url)
            try await expectEqual(provider.response(Get(method: .head)).data, Data())
            // After a failure, this method is not sent again on another connection.
            try await expectEqual(provider.response(Get(method: .post)).mapString(), "next")
            expectEqual(server.connectionCount, 1)
        }
    }

    @Test("T11: the server violates HTTP as its script says")
    func misbehaves() async throws {
        let body = Data("content".utf8)
        let server = try LoopbackServer(replies: [
            .text("fine").after(.wait(.milliseconds(5))), .drip(body), .truncated(body, by: 3), .closed, .reset,
            .garbage,
            .text("early").after(interim: 103, times: 3), .text("last words").thenClosing(),
        ])
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        struct Root: RelativeTarget {
            let path = ""
            let method = HTTPMethod.put
        }
        var seen: [String] = []
        for _ in 0..<9 {
            do {
                seen.append(try await provider.response(Root()).mapString())
            } catch {
                seen.append("\(error.kind)")
            }
        }
        expectEqual(
            seen,
            [
                "fine", "content", "connectionLost", "connectionLost", "connectionLost", "badResponse", "early",
                "last words", "the script is over",
            ])
    }
}
