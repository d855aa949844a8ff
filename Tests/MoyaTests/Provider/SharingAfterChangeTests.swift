import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SharingAfterChangeTests {
    private struct Thing: TargetType {
        let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
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
}
