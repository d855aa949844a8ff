import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// The implicit members that create interceptors with the usual options.
@Suite(.queued, .timeLimit(.minutes(10))) struct InterceptorFactoryTests {
    private struct Thing: TargetType {
        let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
        let path = "/"
    }

    @Test("a bearer token is sent, and refreshed once after a 401")
    func bearer() async throws {
        let sent = Log()
        let transport = StubTransport { request in
            let token = request.headers["Authorization"] ?? "none"
            sent.add(token)
            return .status(token == "Bearer new" ? 200 : 401)
        }
        let provider = MoyaProvider<Thing>(
            transport: transport, interceptors: [.bearer(token: "old") { "new" }])
        try await expectEqual(provider.response(Thing()).statusCode, 200)
        try await expectEqual(provider.response(Thing()).statusCode, 200)
        expectEqual(sent.entries, ["Bearer old", "Bearer new", "Bearer new"])
    }

    @Test("with an empty token, the first request waits for a new one")
    func firstToken() async throws {
        let sent = Log()
        let transport = StubTransport { request in
            sent.add(request.headers["Authorization"] ?? "none")
            return .status(200)
        }
        let provider = MoyaProvider<Thing>(transport: transport, interceptors: [.bearer(token: "") { "new" }])
        for _ in 0..<2 { _ = try await provider.response(Thing()) }
        expectEqual(sent.entries, ["Bearer new", "Bearer new"])
    }

    @Test("the credential of a bearer interceptor can be set and removed")
    func bearerCredential() async throws {
        let sent = Log()
        let interceptor = AuthenticationInterceptor.bearer(token: nil, hosts: ["a.example"]) { throw Failure() }
        let transport = StubTransport { request in
            sent.add(request.headers["Authorization"] ?? "none")
            return .status(200)
        }
        let provider = MoyaProvider<Thing>(transport: transport, interceptors: [interceptor])
        _ = try await provider.response(Thing())
        interceptor.credential = "a"
        _ = try await provider.response(Thing())
        expectEqual(sent.entries, ["none", "Bearer a"])
    }

    @Test("a failed refresh fails the request with its error")
    func failedRefresh() async throws {
        let provider = MoyaProvider<Thing>(
            transport: StubTransport { _ in .status(401) },
            interceptors: [.bearer(token: "old") { throw Failure(id: 3) }])
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Thing()) }
        expectEqual(error?.underlyingError as? Failure, Failure(id: 3))
    }

    @Test("retry(times:) repeats a request that many times after the first attempt", arguments: [0, 1, 3])
    func retry(times: Int) {
        let time = VirtualTime()
        let attempts = Box(0)
        let provider = MoyaProvider<Thing>.stubbed(
            configuration: ProviderConfiguration(interceptors: [.retry(times: times)], scheduler: time)
        ) { _ in
            attempts.change { $0 += 1 }
            return .status(503)
        }
        let status = Box(0)
        provider.request(Thing()) { result in status.value = (try? result.get().statusCode) ?? 0 }
        time.run()
        expectEqual(attempts.value, times + 1)
        expectEqual(status.value, 503)
    }

    @Test("the delays of RetryPolicy(times:) are at most half a second, then twice that, up to 30 seconds")
    func delays() throws {
        let policy = RetryPolicy(times: 12)
        for _ in 0..<20 {
            #expect(try #require(policy.delay(beforeRetry: 1, after: Failure())) <= .milliseconds(500))
            #expect(try #require(policy.delay(beforeRetry: 2, after: Failure())) <= .seconds(1))
            #expect(try #require(policy.delay(beforeRetry: 12, after: Failure())) <= .seconds(30))
        }
        #expect(policy.delay(beforeRetry: 13, after: Failure()) == nil)
    }
}
