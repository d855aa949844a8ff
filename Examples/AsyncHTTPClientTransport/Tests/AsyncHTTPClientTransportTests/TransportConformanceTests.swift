import AsyncHTTPClient
import AsyncHTTPClientTransport
import Foundation
import Moya
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TransportConformanceTests {
    @Test("the transport meets the contract", arguments: TransportContract.claims)
    func keepsTheContract(_ claim: ContractClaim<any Transport>) async throws {
        try await claim.check(AsyncHTTPClientTransport())
    }

    @Test("a provider follows redirects, and removes the credentials for another host")
    func redirects() async throws {
        let other = try LoopbackServer { .text($0.headers["Authorization"] ?? "none") }
        let server = try LoopbackServer { request in
            request.path == "/far"
                ? .status(307, headers: ["Location": "\(other.url)/end"])
                : .status(307, headers: ["Location": "/far"], body: Data("moved".utf8))
        }
        defer {
            server.stop()
            other.stop()
        }
        let provider = MoyaProvider<Target>(transport: AsyncHTTPClientTransport())
        let response = try await provider.response(Target(baseURL: server.url))
        #expect(response.statusCode == 200)
        #expect(try response.mapString() == "none")
        #expect(server.requests.map(\.path) == ["/start", "/far"])
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer s3cret", "Bearer s3cret"])
        #expect(other.requests.map(\.body) == [Data("body".utf8)])
    }

    @Test(
        "a streamed body is sent with its length, or in chunks, and its progress is reported",
        arguments: [nil, Int64(6)])
    func streams(_ length: Int64?) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let answer = await AsyncHTTPClientTransport().answer(
            to: try TransportRequest(
                method: .post, url: server.url, body: Parts.body(["one", "two"], length: length)))
        #expect(answer.text == "onetwo")
        #expect(server.requests.first?.headers["Content-Length"] == length.map(String.init))
        #expect(answer.bytesSent.contains(3))
        #expect(answer.bytesSent.last == 6)
    }

    @Test("a streamed body whose length differs from the declared one is a failure", arguments: [Int64(5), 7])
    func mismatches(_ length: Int64) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let answer = await AsyncHTTPClientTransport().answer(
            to: try TransportRequest(
                method: .post, url: server.url, body: Parts.body(["one", "two"], length: length)))
        #expect(answer.kind == .request)
        #expect(answer.head == nil)
    }

    @Test("compressed content is decoded unless the request has offered the encoding")
    func decodes() async throws {
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACAyvOTczJUSjPSM1TKEhMzk5NAQB/ymqGEQAAAA=="))
        let server = try LoopbackServer { _ in .status(200, headers: ["Content-Encoding": "gzip"], body: packed) }
        defer { server.stop() }
        let transport = AsyncHTTPClientTransport()
        let decoded = await transport.answer(to: try TransportRequest(method: .get, url: server.url))
        #expect(decoded.text == "small when packed")
        #expect(server.requests.last?.headers["Accept-Encoding"] == "gzip, deflate")
        let asked = await transport.answer(
            to: try TransportRequest(method: .get, url: server.url, headers: ["Accept-Encoding": "gzip"]))
        #expect(asked.content == packed)
        #expect(server.requests.last?.headers["Accept-Encoding"] == "gzip")
    }

    @Test("a request that is lost on a new connection is not repeated")
    func loses() async throws {
        let server = try LoopbackServer { _ in .closed }
        defer { server.stop() }
        let answer = await AsyncHTTPClientTransport().answer(to: try TransportRequest(method: .get, url: server.url))
        #expect(answer.kind == .connectionLost)
        #expect(server.requests.count == 1)
    }

    @Test("a response before the end of the request is delivered, and ends the upload")
    func early() async throws {
        let server = try await HastyServer.started()
        let readers = Readers()
        let body = RequestBody.stream(length: nil) { _ in readers.make() }
        let answer = await AsyncHTTPClientTransport().answer(
            to: try TransportRequest(method: .post, url: server.url, body: body))
        #expect(answer.head?.statusCode == 413)
        #expect(answer.text == "too much")
        #expect(await readers.areReleased())
        try await server.stop()
    }

    @Test("a cancel ends an exchange with a full window, and one with a pending body")
    func cancels() async throws {
        let server = try LoopbackServer { _ in .status(200, body: Data(count: 10_000_000)) }
        defer { server.stop() }
        let transport = AsyncHTTPClientTransport()
        let held = await transport.answer(
            to: try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: 1)),
            cancellingWhen: { !$0.content.isEmpty })
        #expect(held.kind == .cancelled)
        #expect(held.content.count < 10_000_000)
        let readers = Readers()
        let body = RequestBody.stream(length: nil) { _ in readers.make(once: true) }
        let waiting = await transport.answer(
            to: try TransportRequest(method: .post, url: server.url, body: body),
            cancellingWhen: { $0.bytesSent.contains { $0 > 0 } })
        #expect(waiting.kind == .cancelled)
        #expect(await readers.areReleased())
    }

    @Test("a shared client works, too, and its redirects are a failure")
    func ownClient() async throws {
        let server = try LoopbackServer {
            $0.path == "/start" ? .status(302, headers: ["Location": "/end"]) : .echo($0)
        }
        defer { server.stop() }
        let request = try TransportRequest(method: .get, url: server.url.appending(path: "start"))
        let client = HTTPClient(configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
        let answer = await AsyncHTTPClientTransport(client: client).answer(to: request)
        #expect(answer.head?.statusCode == 302)
        try await client.shutdown()
        let following = await AsyncHTTPClientTransport(client: .shared).answer(to: request)
        #expect(following.head == nil)
        #expect(following.kind == .badResponse)
    }
}

private struct Target: TargetType {
    let baseURL: URL
    let path = "/start"
    let method = Moya.HTTPMethod.post
    let task = RequestTask.requestData(Data("body".utf8))
    let headers: [String: String]? = ["Authorization": "Bearer s3cret"]
}
