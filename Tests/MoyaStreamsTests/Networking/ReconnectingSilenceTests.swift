import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// Event streams that reconnect, and servers that are silent.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReconnectingSilenceTests {
    struct Feed: TargetType {
        let baseURL = URL(string: "http://a.example/") ?? URL(filePath: "/")
        let path = "feed"
    }

    /// A server that sends one event on the first connection and a comment on each further one, and then is silent.
    private final class SilentServer: Transport {
        struct Exchange: TransportExchange {
            let receive: @Sendable (TransportEvents) -> Void
            var isCancelled: Bool { false }
            func cancel() { receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))) }
            func acknowledge(_ bytes: Int) {}
        }

        let capabilities: TransportCapabilities
        let sendsHead: Bool
        let ids = Box<[String?]>([])

        init(_ capabilities: TransportCapabilities, sendsHead: Bool = true) {
            self.capabilities = capabilities
            self.sendsHead = sendsHead
        }

        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            ids.change { $0.append(request.headers["Last-Event-ID"]) }
            if sendsHead {
                let head = ResponseHead(
                    statusCode: 200, version: "HTTP/1.1", headers: ["Content-Type": "text/event-stream"])
                let text = ids.value.count == 1 ? "id: 7\ndata: a\n\n" : ": a comment\n\n"
                receive(TransportEvents(head: head, chunks: [Data(text.utf8)]))
            }
            return Exchange(receive: receive)
        }
    }

    private let time = VirtualTime()
    private let end = Box<(any Error)?>(nil)

    private func connect(_ server: SilentServer, _ timeouts: Timeouts = Timeouts(), retries: Int = 2) -> any Cancellable
    {
        let provider = MoyaProvider<Feed>(transport: server, timeouts: timeouts, scheduler: time)
        return provider.serverSentEvents(Feed(), reconnecting: .constant(.seconds(1), times: retries), on: time)
            .subscribe(onNext: { _ in }, onError: { [end] in end.value = $0 })
    }

    /// Advances the virtual time by a second at a time until the condition is met, or the real time is over.
    private func advance(until condition: @escaping @Sendable () -> Bool) async throws {
        let isMet = Promise<Void>()
        @Sendable func step() {
            if condition() { return isMet.fulfill(()) }
            time.advance(by: .seconds(1))
            (DispatchScheduler.background as any Scheduler).schedule(after: .milliseconds(1)) { step() }
        }
        step()
        try await isMet.value()
    }

    @Test("a stream whose transport cannot detect the loss of a server reconnects after silence, and does not fail")
    func withoutKeepAlive() async throws {
        let server = SilentServer([])
        let subscription = connect(server)
        try await advance { server.ids.value.count == 6 }
        #expect(time.elapsed >= .seconds(5 * 121))
        expectEqual(server.ids.value, [nil, "7", "7", "7", "7", "7"])
        #expect(end.value == nil)
        subscription.cancel()
    }

    @Test("a stream reconnects after the silence that was asked for, and does not fail")
    func requested() async throws {
        let server = SilentServer(.keepAlive)
        let subscription = connect(server, Timeouts(idle: .seconds(10)))
        try await advance { server.ids.value.count == 6 }
        expectEqual(server.ids.value.last, "7")
        #expect(end.value == nil)
        subscription.cancel()
    }

    @Test(
        "a stream with keep-alive, or with an idle timeout of nil, does not reconnect after silence",
        arguments: [true, false])
    func unlimited(_ hasKeepAlive: Bool) async throws {
        let server = SilentServer(hasKeepAlive ? .keepAlive : [])
        let subscription = connect(server, hasKeepAlive ? Timeouts() : Timeouts(idle: nil))
        let start = time.elapsed
        try await advance { [time] in time.elapsed - start >= .seconds(600) }
        expectEqual(server.ids.value.count, 1)
        #expect(end.value == nil)
        subscription.cancel()
    }

    @Test("silence before the head of a response is a failure, which the policy limits")
    func withoutHead() async throws {
        let server = SilentServer([], sendsHead: false)
        let subscription = connect(server)
        try await advance { [end] in end.value != nil }
        expectEqual((end.value as? MoyaError)?.kind, .timeout)
        expectEqual(server.ids.value.count, 3)
        subscription.cancel()
    }
}
