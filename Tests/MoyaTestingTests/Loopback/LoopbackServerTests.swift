import Foundation
import Moya
import MoyaTesting
import Testing

@Suite struct LoopbackServerTests {
    @Test("T11: requests are recorded as they came")
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
        #expect(request.method == .post)
        #expect(request.path == "/users/%C3%A9")
        #expect(request.query == "q=a%20b")
        #expect(request.headers["x-one"] == "1")
        #expect(request.body == Data("body".utf8))
        server.forgetRequests()
        #expect(server.requests.isEmpty)
    }

    @Test("T11: after stop nobody is served")
    func stops() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        struct Root: RelativeTarget { let path = "" }
        _ = try await provider.response(Root())
        server.stop()
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Root()) }
        #expect(error?.kind == .unreachable)
    }
}
