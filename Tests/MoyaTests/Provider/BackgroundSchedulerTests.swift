import Dispatch
import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a provider with the default scheduler does by itself while the app's own work occupies the queues.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct BackgroundSchedulerTests {
    private struct Thing: TargetType, DecodableTargetType {
        typealias Value = [Int]
        let baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
        let path = "/"
    }

    /// Runs `body` while work of the app blocks the queue of `.background`.
    private func whileBackgroundIsBlocked(_ body: () throws -> Void) rethrows {
        let (hasStarted, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchScheduler.background.schedule {
            hasStarted.signal()
            mayEnd.wait()
        }
        hasStarted.wait()
        defer { mayEnd.signal() }
        try body()
    }

    /// Sends a request and waits for its outcome; returns `nil` after ten seconds.
    private func outcome<Value: Sendable>(
        _ send: (@escaping @Sendable (Result<Value, MoyaError>) -> Void) -> any Cancellable
    ) -> Result<Value, MoyaError>? {
        let (result, hasCome) = (Box<Result<Value, MoyaError>?>(nil), DispatchSemaphore(value: 0))
        _ = send {
            result.value = $0
            hasCome.signal()
        }
        _ = hasCome.wait(timeout: .now() + 10)
        return result.value
    }

    private func kind<Value>(_ result: Result<Value, MoyaError>?) -> MoyaError.Kind? {
        if case .failure(let error) = result { error.kind } else { nil }
    }

    @Test(
        "deadlines pass while the queue is blocked",
        arguments: [Timeouts(idle: .milliseconds(50)), Timeouts(idle: nil, total: .milliseconds(50))])
    func deadlines(_ timeouts: Timeouts) {
        let provider = MoyaProvider<Thing>(transport: SilentTransport(), timeouts: timeouts)
        whileBackgroundIsBlocked {
            expectEqual(kind(outcome { provider.request(Thing(), completion: $0) }), .timeout)
        }
    }

    /// A transport whose first response has the status code 503.
    private func recovering() -> ScriptedTransport {
        let count = Box(0)
        return ScriptedTransport { _ in
            count.change { $0 += 1 }
            return count.value == 1 ? .response(503, "") : .json("[1, 2]")
        }
    }

    @Test("a retry is sent while the queue is blocked")
    func retries() throws {
        let provider = MoyaProvider<Thing>(
            transport: recovering(), interceptors: [.retry(.constant(.milliseconds(10), times: 1))])
        try whileBackgroundIsBlocked {
            let result = try #require(outcome { provider.request(Thing(), completion: $0) })
            try expectEqual(result.get().statusCode, 200)
        }
    }

    @Test("work on the queue may wait for a request that is repeated")
    func waiting() {
        let provider = MoyaProvider<Thing>(
            transport: recovering(), interceptors: [.retry(.constant(.milliseconds(10), times: 1))])
        let (hasEnded, status) = (DispatchSemaphore(value: 0), Box<Int?>(nil))
        DispatchScheduler.background.schedule {
            status.value = try? outcome { provider.request(Thing(), completion: $0) }?.get().statusCode
            hasEnded.signal()
        }
        hasEnded.wait()
        expectEqual(status.value, 200)
    }

    @Test("content is decoded while the queue is blocked, also with a callback queue")
    func decoding() throws {
        let provider = MoyaProvider<Thing>(
            callbackQueue: .serial(label: "callbacks"), transport: ScriptedTransport { _ in .json("[1, 2]") })
        try whileBackgroundIsBlocked {
            let result = try #require(outcome { provider.requestValue(Thing(), completion: $0) })
            try expectEqual(result.get(), [1, 2])
        }
    }

    @Test("the content of two responses is decoded at the same time")
    func concurrentDecoding() {
        let arrivals = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (count, overlaps) = (Box(0), Box(0))
        // Each decoding waits until the other one has begun.
        let decoding = ResponseDecoding { _ in
            var isFirst = false
            count.change { number in
                isFirst = number == 0
                number += 1
            }
            (isFirst ? arrivals.0 : arrivals.1).signal()
            if (isFirst ? arrivals.1 : arrivals.0).wait(timeout: .now() + 5) == .success {
                overlaps.change { $0 += 1 }
            }
        }
        let provider = MoyaProvider<Thing>(
            callbackQueue: .serial(label: "callbacks"), transport: ScriptedTransport { _ in .json("[1, 2]") },
            decoding: decoding)
        let values = DispatchSemaphore(value: 0)
        for _ in 0..<2 { provider.requestValue(Thing()) { _ in values.signal() } }
        for _ in 0..<2 { expectEqual(values.wait(timeout: .now() + 60), .success) }
        expectEqual(overlaps.value, 2)
    }

    /// A plugin that blocks the first call of `didReceive` until `mayContinue` is signalled.
    private struct SlowPlugin: PluginType {
        let count = Box(0)
        let isBlocked = DispatchSemaphore(value: 0)
        let mayContinue = DispatchSemaphore(value: 0)

        func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
            count.change { $0 += 1 }
            guard count.value == 1 else { return }
            isBlocked.signal()
            mayContinue.wait()
        }
    }

    @Test("a plugin that is slow to receive a timeout does not delay the deadlines of other requests")
    func slowPlugin() {
        let plugin = SlowPlugin()
        let provider = MoyaProvider<Thing>(
            transport: SilentTransport(), plugins: [plugin], timeouts: Timeouts(idle: .milliseconds(30)))
        let hasEnded = DispatchSemaphore(value: 0)
        provider.request(Thing()) { _ in hasEnded.signal() }
        plugin.isBlocked.wait()
        expectEqual(kind(outcome { provider.request(Thing(), completion: $0) }), .timeout)
        plugin.mayContinue.signal()
        hasEnded.wait()
    }

    #if os(Linux)
        @Test("a transport that was shut down refuses requests while the queue is blocked")
        func shutdown() throws {
            let transport = try CurlTransport()
            transport.shutdown()
            let provider = MoyaProvider<Thing>(transport: transport)
            whileBackgroundIsBlocked {
                expectEqual(kind(outcome { provider.request(Thing(), completion: $0) }), .cancelled)
            }
        }
    #endif
}
