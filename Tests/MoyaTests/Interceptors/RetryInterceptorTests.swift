import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct RetryInterceptorTests {
    @Test(
        "RFC 9110, 9.2.2: a POST is repeated only with an Idempotency-Key",
        arguments: [nil, "\"8e03978e\""] as [String?])
    func idempotencyKey(_ key: String?) async throws {
        let server = try LoopbackServer { _ in .status(503) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(interceptors: [.retry(.constant(.zero, times: 1))])
        let headers = key.map { ["Idempotency-Key": $0] }
        _ = try await provider.response(Local(server, method: .post, headers: headers))
        expectEqual(server.requests.count, key == nil ? 1 : 2)
    }

    private let time = VirtualTime()

    struct Thing: TargetType {
        var baseURL = URL(string: "http://a.example/") ?? URL(filePath: "/")
        var path = "/"
        var method = HTTPMethod.get
    }

    /// Returns the times at which the attempts were sent, and the outcome.
    private func run(
        _ samples: [EndpointSampleResponse], _ interceptor: RetryInterceptor = .retry(.constant(.seconds(2), times: 3)),
        method: HTTPMethod = .get
    ) -> [String] {
        struct Clock: PluginType {
            let time: VirtualTime
            let log: Log
            func willSend(_ request: RequestType, target: any RelativeTarget) {
                log.add("\(request.attempt) at \(time.elapsed.components.seconds)")
            }
        }
        let log = Log()
        let sample = EndpointSampleResponse.sequence(samples)
        let provider = MoyaProvider<Thing>(
            endpointClosure: { Endpoint(url: "http://a.example/", sampleResponseClosure: sample, method: $0.method) },
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Clock(time: time, log: log)],
            interceptors: [interceptor], scheduler: time)
        provider.request(Thing(method: method)) { result in
            switch result {
            case .success(let response): log.add("\(response.statusCode)")
            case .failure(let error): log.add("\(error.kind)")
            }
        }
        time.run()
        return log.entries
    }

    private static func answer(_ status: Int, _ headers: [String: String] = [:]) -> EndpointSampleResponse {
        guard
            let head = HTTPURLResponse(
                url: URL(filePath: "/"), statusCode: status, httpVersion: nil, headerFields: headers)
        else { return .networkError(URLError(.badServerResponse)) }
        return .response(head, Data())
    }

    @Test func transientFailuresAreRepeatedAsThePolicySays() {
        expectEqual(
            run([.networkError(URLError(.timedOut)), Self.answer(503), Self.answer(200)]),
            ["1 at 0", "2 at 2", "3 at 4", "200"])
    }

    @Test func thePolicyEndsIt() {
        expectEqual(run([Self.answer(503)]), ["1 at 0", "2 at 2", "3 at 4", "4 at 6", "503"])
        let never = RetryInterceptor(.constant(.seconds(1), times: 9) { _, _ in false })
        expectEqual(run([Self.answer(503)], never).last, "503")
    }

    @Test(
        "permanent failures are not retried",
        arguments: [
            (HTTPMethod.post, answer(503)), (.patch, answer(503)), (.get, answer(404)), (.get, answer(501)),
            (.get, .networkError(URLError(.serverCertificateUntrusted))), (.get, .networkError(URLError(.cancelled))),
            (.get, .networkError(URLError(.httpTooManyRedirects))),
        ])
    func notWorthIt(_ method: HTTPMethod, _ answer: EndpointSampleResponse) {
        expectEqual(run([answer, Self.answer(200)], method: method).count, 2)
    }

    @Test("other methods and status codes can be configured")
    func named() {
        let interceptor = RetryInterceptor(.constant(.seconds(1), times: 1), methods: [.post], statusCodes: [404])
        expectEqual(run([Self.answer(404), Self.answer(200)], interceptor, method: .post).last, "200")
        expectEqual(run([Self.answer(404), Self.answer(200)], interceptor).last, "404")
        let accepted = RetryInterceptor(.constant(.seconds(1), times: 1), statusCodes: [202])
        expectEqual(run([Self.answer(202), Self.answer(200)], accepted).last, "200")
    }

    @Test(
        "RFC 9110, 10.2.3: the Retry-After field of the server replaces the delay",
        arguments: [
            (["Retry-After": "7"], 7), (["Retry-After": "0"], 0),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 10),
            (["Retry-After": "Sunday, 06-Nov-94 08:49:42 GMT", "Date": "Sun Nov  6 08:49:37 1994"], 5),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:07 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 0),
            (["Retry-After": "soon"], 2), (["Retry-After": "-1"], 2), (["Retry-After": "1e9"], 2), ([:], 2),
        ])
    func retryAfter(_ headers: [String: String], _ seconds: Int) {
        expectEqual(run([Self.answer(503, headers), Self.answer(200)]), ["1 at 0", "2 at \(seconds)", "200"])
    }

    @Test(
        "a request is not retried if the server requests too long a delay",
        arguments: ["61", "4294967295", "99999999999999999999"])
    func tooLong(_ value: String) {
        expectEqual(run([Self.answer(503, ["Retry-After": value]), Self.answer(200)]), ["1 at 0", "503"])
    }
}
