import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SharingAfterChangeTests {
    private struct Thing: TargetType {
        var baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
        var path = "/"
        var method = HTTPMethod.get
    }

    private struct Counter: PluginType {
        let reads: Box<Int>

        func willSend(_ request: RequestType, target: any RelativeTarget) {
            if target.method == .get { reads.change { $0 += 1 } }
        }
    }

    @Test(
        "a call after an unsafe request has succeeded does not join an older request for its URL (RFC 9111, 4.4)",
        arguments: [("/", 204, 2), ("/", 500, 1), ("/other", 204, 1)])
    func readsOwnWrite(_ path: String, _ status: Int, _ expected: Int) {
        let time = VirtualTime()
        let reads = Box(0)
        let provider = MoyaProvider<Thing>(
            endpointClosure: { target in
                Endpoint(
                    url: "\(target.baseURL)\(target.path)", sampleResponseClosure: { .status(status) },
                    method: target.method)
            }, stubClosure: { .delayed(seconds: $0.method == .get ? 3 : 1) }, plugins: [Counter(reads: reads)],
            trackInflights: true, scheduler: time)
        let log = Log()
        func read() { provider.request(Thing()) { _ in log.add("read") } }
        read()
        provider.request(Thing(path: path, method: .put)) { _ in log.add("changed") }
        time.advance(by: .seconds(2))
        expectEqual(log.entries, ["changed"])
        read()
        read()
        time.run()
        expectEqual(reads.value, expected)
        expectEqual(log.entries, ["changed", "read", "read", "read"])
    }

    @Test(
        "also if the change was redirected, or an interceptor has changed its URL",
        arguments: ["/redirected", "/moved", "/keyed"])
    func readsRedirectedWrite(_ path: String) async throws {
        let isChanged = Box(false)
        let reads = Box(0)
        let server = try LoopbackServer { request in
            switch (request.method, request.path) {
            case (.get, "/gone"): return .status(404)
            case (.get, _):
                reads.change { $0 += 1 }
                let reply = LoopbackReply.text("\(isChanged.value)")
                return reads.value == 1 ? reply.after(.wait(.seconds(60))) : reply
            case (_, "/redirected"): return .status(307, headers: ["Location": "/thing"])
            case (_, "/moved"):
                isChanged.change { $0 = true }
                return .status(303, headers: ["Location": "/gone"])
            default:
                isChanged.change { $0 = true }
                return .status(204)
            }
        }
        defer { server.stop() }
        let keyed = Keyed(key: Box("")) { $0.url.append(queryItems: [URLQueryItem(name: "key", value: "k")]) }
        let provider = MoyaProvider<Thing>(interceptors: [keyed], trackInflights: true)
        let read = Thing(baseURL: server.url, path: path == "/redirected" ? "/thing" : path)
        let first = Task { try await provider.response(read) }
        try await until { reads.value == 1 }
        _ = try? await provider.response(Thing(baseURL: server.url, path: path, method: .put))
        try expectEqual(await provider.response(read).mapString(), "true")
        first.cancel()
        _ = try? await first.value
    }
}
