import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct RedirectTests {
    private static let secret = [
        "Authorization": "Bearer s3cret", "Cookie": "a=s3cret", "X-Api-Key": "s3cret", "CB-ACCESS-SIGN": "s3cret",
    ]

    private func server(_ status: Int, to location: String) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/start"
                ? .status(status, headers: ["Location": location], body: Data("moved".utf8)) : .echo(request)
        }
    }

    private func finalResponse(
        _ server: LoopbackServer, _ kind: TransportKind = TransportKind.allCases[0], method: HTTPMethod = .get,
        task: RequestTask = .requestPlain, headers: [String: String] = [:], redirects: RedirectPolicy = .follow
    ) async throws -> Response {
        let provider = MoyaProvider<Local>(transport: try kind.make(), redirects: redirects)
        return try await provider.response(Local(server, "/start", method: method, task: task, headers: headers))
    }

    @Test(
        "RFC 3986, 2.4: escapes are kept, also beside characters that must be encoded",
        arguments: [
            ("/Z\u{fc}rich/a%2Fb", "/Z%C3%BCrich/a%2Fb"), ("/b?page[after]=a%2Fb", "/b?page%5Bafter%5D=a%2Fb"),
            ("/a b%20c", "/a%20b%20c"), ("/a|b%7C%zz", "/a%7Cb%7C%25zz"), ("/%e4?%E4", "/%e4?%E4"),
            ("/a%20b?[#c#d", "/a%20b?%5B"),
        ], TransportKind.allCases)
    func escapes(_ row: (location: String, target: String), _ kind: TransportKind) async throws {
        let server = try server(302, to: row.location)
        defer { server.stop() }
        _ = try await finalResponse(server, kind)
        expectEqual(server.requests.last?.target, row.target)
        let absolute = try URL(checkedForHTTP: "http://a.example\(row.location)")
        expectEqual(absolute.withoutFragment.absoluteString, "http://a.example\(row.target)")
    }

    @Test(
        "RFC 9110, 15.4: the status code determines method and content of the next request",
        arguments: [
            (301, HTTPMethod.post, HTTPMethod.get, ""), (302, .post, .get, ""), (303, .post, .get, ""),
            (307, .post, .post, "body"), (308, .post, .post, "body"), (301, .put, .put, "body"), (303, .put, .get, ""),
            (302, .delete, .delete, "body"),
        ], TransportKind.allCases)
    func methods(_ row: (status: Int, method: HTTPMethod, next: HTTPMethod, body: String), _ kind: TransportKind)
        async throws
    {
        let server = try server(row.status, to: "/end?x=1")
        defer { server.stop() }
        let response = try await finalResponse(
            server, kind, method: row.method, task: .requestData(Data("body".utf8)),
            headers: ["Content-Type": "text/plain", "X-Kept": "1"])
        let last = try #require(server.requests.last)
        expectEqual(server.requests.count, 2)
        expectEqual(last.method, row.next)
        expectEqual(last.target, "/end?x=1")
        expectEqual(String(decoding: last.body, as: UTF8.self), row.body)
        expectEqual(last.headers["X-Kept"], "1")
        expectEqual(last.headers["Content-Type"] == nil, row.body.isEmpty)
        expectEqual(response.statusCode, 200)
        expectEqual(response.request?.url?.path, "/end")
        expectEqual(response.request?.httpMethod, row.next.rawValue)
        expectEqual(response.response?.url?.path, "/end")
    }

    @Test("RFC 9110, 10.1.1: a request that loses its content in a redirect expects nothing")
    func expectations() async throws {
        let expectations = Box<[String?]>([])
        let origin = ScriptedTransport { request in
            expectations.change { $0.append(request.headers["Expect"]) }
            return request.method == .post ? .response(303, headers: ["Location": "/end"], "") : .text("end")
        }
        let provider = MoyaProvider<Page>(transport: origin)
        _ = try await provider.response(Page(method: .post, headers: ["Expect": "100-continue"]))
        expectEqual(expectations.value, ["100-continue", nil])
    }

    @Test("the method HEAD is unchanged after 303")
    func head() async throws {
        let server = try server(303, to: "/end")
        defer { server.stop() }
        _ = try await finalResponse(server, method: .head)
        expectEqual(server.requests.map(\.method), [.head, .head])
    }

    @Test("credentials are not sent to another origin", arguments: TransportKind.allCases)
    func credentials(_ kind: TransportKind) async throws {
        let other = try LoopbackServer { .echo($0) }
        defer { other.stop() }
        let server = try server(307, to: other.url.absoluteString + "/there")
        defer { server.stop() }
        let headers = Self.secret.merging(["X-Kept": "1", "Accept": "a/b"]) { $1 }
        let response = try await finalResponse(
            server, kind, headers: headers, redirects: .follow(maximumRedirects: 3, keptHeaders: ["x-kept"]))
        let there = try #require(other.requests.first)
        for name in Self.secret.keys { #expect(there.headers[name] == nil) }
        expectEqual(there.headers["X-Kept"], "1")
        expectEqual(there.headers["Accept"], "a/b")
        #expect(response.request?.allHTTPHeaderFields?["Authorization"] == nil)

        let home = try self.server(307, to: "/end")
        defer { home.stop() }
        _ = try await finalResponse(home, kind, headers: headers)
        expectEqual(home.requests.last?.headers["Authorization"], "Bearer s3cret")
    }

    @Test("WHATWG Fetch: the last event ID is sent to another origin")
    func lastEventID() async throws {
        let other = try LoopbackServer { .echo($0) }
        defer { other.stop() }
        let server = try server(307, to: other.url.absoluteString + "/there")
        defer { server.stop() }
        _ = try await finalResponse(server, headers: ["Last-Event-ID": "7", "X-Other": "1"])
        expectEqual(other.requests.first?.headers["Last-Event-ID"], "7")
        #expect(other.requests.first?.headers["X-Other"] == nil)
    }

    @Test(
        "a redirect to different locations is an error, and one that names its location twice is followed",
        arguments: TransportKind.allCases)
    func severalLocations(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            var headers: HTTPHeaders = ["Location": "/end?a=1,2"]
            headers.add("Location", request.path == "/start" ? "/evil" : "/end?a=1,2")
            return request.path == "/end" ? .text("end") : .status(302, headers: headers)
        }
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) { try await finalResponse(server, kind) }
        expectEqual(error?.kind, .badResponse)
        expectEqual(server.requests.map(\.path), ["/start"])
        let provider = MoyaProvider<Local>(transport: try kind.make())
        try await expectEqual(provider.response(Local(server, "/twice")).mapString(), "end")
        expectEqual(server.requests.last?.target, "/end?a=1,2")
    }

    @Test("the target of a redirect has no dot segments", arguments: TransportKind.allCases)
    func dotSegments(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            request.path == "/start"
                ? .status(302, headers: ["Location": "http://\(request.headers["Host"] ?? "")/a/./../end"])
                : .text(request.target)
        }
        defer { server.stop() }
        try await expectEqual(finalResponse(server, kind).mapString(), "/end")
    }

    @Test("a file is sent again", arguments: TransportKind.allCases)
    func replaysAFile(_ kind: TransportKind) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try server(308, to: "/end")
        defer { server.stop() }
        let response = try await finalResponse(server, kind, method: .put, task: .uploadFile(file))
        try expectEqual(response.mapString(), "from a file")
        let form: MultipartFormData = [MultipartFormBodyPart(provider: .file(file), name: "f")]
        let second = try await finalResponse(server, kind, method: .post, task: .uploadMultipartFormData(form))
        #expect(try second.mapString().contains("from a file"))
    }

    @Test("a policy of a provider or of a target can disable redirects")
    func never() async throws {
        struct Stubborn: TargetType {
            var baseURL: URL
            var path = "/start"
            var options = RequestOptions(redirects: .never)
        }
        let server = try server(302, to: "/end")
        defer { server.stop() }
        let response = try await finalResponse(server, redirects: .never)
        expectEqual(response.statusCode, 302)
        expectEqual(response.headers["Location"], "/end")
        try expectEqual(response.mapString(), "moved")
        let target = try await MoyaProvider<Stubborn>().response(Stubborn(baseURL: server.url))
        expectEqual(target.statusCode, 302)
        expectEqual(server.requests.count, 2)
    }

    @Test(
        "a redirect to an invalid URL is an error, and no request is sent",
        arguments: ["ftp://a.example/", "file:///etc/passwd", "http://", "data:text/plain,x", "//", "http:///x"])
    func badLocations(_ location: String) async throws {
        let server = try server(302, to: location)
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) { try await finalResponse(server) }
        expectEqual(error?.kind, .badResponse)
        expectEqual(error?.response?.statusCode, 302)
        expectEqual(server.requests.count, 1)
    }

    @Test("a redirect loop ends at the limit", arguments: TransportKind.allCases)
    func loops(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .status(302, headers: ["Location": "/start"]) }
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await finalResponse(server, kind, redirects: .follow(maximumRedirects: 4))
        }
        expectEqual(error?.kind, .badResponse)
        #expect(error?.description.contains("more than 4 redirects in a row") == true)
        expectEqual(server.requests.count, 5)
    }

    /// URLSession on Linux reports a redirect only after its content, so that the test does not apply to it.
    @Test("an endless response to a redirect is cancelled", arguments: TransportKind.allCases.prefix(1), [true, false])
    func endlessRedirect(_ kind: TransportKind, _ hasProgress: Bool) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/start" else { return .text("end") }
            let chunk = LoopbackReply.Step.send(Data(repeating: 1, count: 100_000))
            let head = LoopbackReply.head(302, ["Location": "/end", "Content-Length": "1000000000"])
            return LoopbackReply([.send(head)] + Array(repeating: chunk, count: 20) + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        var progress: MoyaProvider<Local>.ProgressBlock?
        if hasProgress { progress = { _ in } }
        let response = try await provider.response(Local(server, "/start"), progress: progress)
        try expectEqual(response.mapString(), "end")
    }
}
