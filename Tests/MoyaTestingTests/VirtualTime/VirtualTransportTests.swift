import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// Runs each case several times, see `BusyThreads`.
@Suite(.serialized, .queued, .timeLimit(.minutes(20))) struct VirtualTransportTests {
    private struct Zen: TargetType, DecodableTargetType {
        typealias Value = Int
        var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
        let path = "/zen"
        var sharesInflight: Bool?
        var options: RequestOptions {
            var options = RequestOptions()
            options.sharesInflight = sharesInflight
            return options
        }
    }

    /// How a transport delivers its response: at once or after three seconds.
    enum Route: CaseIterable {
        case stub, delayedStub, chunks, replay, timedReplay, scripted, onScheduler

        func transport(on time: VirtualTime) throws -> any Transport {
            let body = Data("7".utf8)
            switch self {
            case .stub: return StubTransport { _ in .networkResponse(200, body) }
            case .delayedStub: return StubTransport(after: .seconds(3), on: time) { _ in .networkResponse(200, body) }
            case .chunks: return StubTransport(on: time) { _ in .chunks(200, [body], every: .seconds(3)) }
            case .replay, .timedReplay:
                var options = ReplayOptions()
                options.repeats = .lastAgain
                options.scheduler = time
                options.timing = self == .replay ? .none : .recorded
                return ReplayTransport(try Self.archive(body), options: options)
            case .scripted: return ScriptedTransport { _ in .text("7") }
            case .onScheduler: return DelayingTransport(scheduler: time)
            }
        }

        var delay: String { [.stub, .replay, .scripted].contains(self) ? "" : " 3s " }

        private static func archive(_ body: Data) throws -> HAR {
            let response = HAR.Response(statusCode: 200, headers: [:], content: HAR.Content(body))
            var entry = HAR.Entry(
                start: Date(timeIntervalSince1970: 0),
                request: HAR.Request(method: .get, url: try #require(URL(string: "https://a.example/zen"))),
                response: response)
            entry.timings.wait = .seconds(2)
            entry.timings.receive = .seconds(1)
            return try HAR(data: HAR(entries: [entry]).data())
        }
    }

    /// Runs `run` with a new clock each time, and returns how often each outcome occurred.
    private func outcomes(_ run: (VirtualTime) throws -> String) rethrows -> [String: Int] {
        let threads = BusyThreads()
        defer { threads.stop() }
        var outcomes: [String: Int] = [:]
        for _ in 0..<BusyThreads.runs { outcomes[try run(VirtualTime()), default: 0] += 1 }
        return outcomes
    }

    private func provider(
        _ route: Route, _ time: VirtualTime, interceptors: [any RequestInterceptor] = [], callbackQueue: Bool = false
    ) throws -> MoyaProvider<Zen> {
        MoyaProvider(
            callbackQueue: callbackQueue ? time : nil, transport: try route.transport(on: time),
            interceptors: interceptors, timeouts: Timeouts(idle: .seconds(60), total: .seconds(90)), scheduler: time)
    }

    @Test(arguments: Route.allCases)
    func playsARequest(_ route: Route) throws {
        let outcomes = try outcomes { time in
            time.play(try provider(route, time).request(Zen()).mapString()).marbles
        }
        expectEqual(outcomes, ["\(route.delay)(7|)": BusyThreads.runs])
    }

    @Test(arguments: Route.allCases, [false, true])
    func playsAValue(_ route: Route, _ callbackQueue: Bool) throws {
        let outcomes = try outcomes { time in
            time.play(try provider(route, time, callbackQueue: callbackQueue).requestValue(Zen())).marbles
        }
        expectEqual(outcomes, ["\(route.delay)(7|)": BusyThreads.runs])
    }

    @Test(arguments: Route.allCases)
    func recordsASharedRequest(_ route: Route) throws {
        let outcomes = try outcomes { time in
            let recording = time.record(
                try provider(route, time).request(Zen(sharesInflight: true)).mapString())
            time.advance(by: .seconds(3))
            return recording.marbles
        }
        expectEqual(outcomes, ["\(route.delay)(7|)": BusyThreads.runs])
    }

    @Test(arguments: Route.allCases)
    func runsAsyncCode(_ route: Route) throws {
        let outcomes = try outcomes { time in
            let provider = try provider(route, time, interceptors: [.retry(times: 1)])
            let text = try time.run { try await provider.response(Zen()).mapString() }
            return "\(text) after \(time.elapsed)"
        }
        expectEqual(outcomes, ["7 after \(route.delay.isEmpty ? 0 : 3).0 seconds": BusyThreads.runs])
    }

    @Test("a retry waits in virtual time, and so does an interceptor with async closures", arguments: [false, true])
    func retries(_ asynchronously: Bool) {
        let outcomes = outcomes { time in
            let count = Box(0)
            let transport = StubTransport(after: .seconds(1), on: time) { _ in
                count.change { $0 += 1 }
                return .networkResponse(count.value == 1 ? 503 : 200, Data("7".utf8))
            }
            let interceptor: any RequestInterceptor =
                asynchronously
                ? AsyncInterceptor(
                    adapt: { request, _ in
                        await Task.yield()
                        return request
                    },
                    retry: { outcome in outcome.attempt == 1 ? .retry(after: .seconds(5)) : .doNotRetry })
                : RetryInterceptor(.constant(.seconds(5), times: 1))
            let provider = MoyaProvider<Zen>(transport: transport, interceptors: [interceptor], scheduler: time)
            return time.play(provider.request(Zen()).mapString()).marbles
        }
        expectEqual(outcomes, [" 7s (7|)": BusyThreads.runs])
    }

    @Test("a transport that does not respond does not hold the clock")
    func timesOut() throws {
        let time = VirtualTime()
        let provider = MoyaProvider<Zen>(
            transport: ScriptedTransport { _ in [] }, timeouts: Timeouts(idle: .seconds(60)), scheduler: time)
        expectEqual(time.play(provider.request(Zen()).mapString()), " 60s #")
    }

    @Test("a response that another thread delivers arrives without a move of the clock, and in order")
    func otherThreads() async throws {
        let time = VirtualTime()
        let provider = MoyaProvider<Zen>(transport: ThreadTransport(), scheduler: time)
        let result = Promise<String>()
        provider.request(Zen()) { outcome in result.fulfill((try? outcome.get().mapString()) ?? "\(outcome)") }
        try await expectEqual(result.value(), (0..<100).map { "\($0)" }.joined())
        expectEqual(time.elapsed, .zero)
    }

    @Test("a progress closure that moves the clock loses no part of the response")
    func movesTheClockInside() throws {
        let time = VirtualTime()
        let transport = StubTransport(on: time) { _ in
            .chunks(200, ["a", "b", "c"].map { Data($0.utf8) }, every: .seconds(1))
        }
        let log = Log()
        MoyaProvider<Zen>(transport: transport, scheduler: time).request(
            Zen(), progress: { _ in time.advance(by: .seconds(1)) },
            completion: { log.add((try? $0.get().mapString()) ?? "\($0)") })
        time.run()
        expectEqual(log.entries, ["abc"])
    }
}

/// A transport that delivers its response on a scheduler, after three seconds.
private struct DelayingTransport: Transport {
    let scheduler: any Scheduler
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        scheduler.schedule(after: .seconds(3)) { for batch in [TransportEvents].text("7") { receive(batch) } }
        return IgnoringExchange()
    }
}

/// A transport that delivers the head within `start`, and the content on another thread.
private struct ThreadTransport: Transport {
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        receive(TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])))
        Thread.detachNewThread {
            for index in 0..<100 { receive(TransportEvents(chunks: [Data("\(index)".utf8)])) }
            receive(TransportEvents(outcome: TransportOutcome(error: nil)))
        }
        return IgnoringExchange()
    }
}

private struct IgnoringExchange: TransportExchange {
    var isCancelled: Bool { false }
    func cancel() {}
    func acknowledge(_ bytes: Int) {}
}
