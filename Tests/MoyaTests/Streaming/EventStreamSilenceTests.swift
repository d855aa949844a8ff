import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How long an event stream may be silent, with real connections and virtual time.
@Suite(.queued, .timeLimit(.minutes(10))) struct EventStreamSilenceTests {
    private let time = VirtualTime()
    private let isOver = Promise<Result<Response, MoyaError>>()
    private let hasHead = Promise<Void>()

    /// A response that sends an event, is silent until `hasMore` is `true`, and sends another event.
    private static func silent(
        until hasMore: Box<Bool>, _ status: Int = 200, type: String = "text/event-stream"
    ) -> LoopbackReply {
        LoopbackReply([
            .send(LoopbackReply.head(status, ["Content-Type": type]) + Data("data: 1\n\n".utf8)),
            .waitUntil { hasMore.value }, .send(Data("data: 2\n\n".utf8)), .close,
        ])
    }

    private func start(_ provider: MoyaProvider<Local>, _ target: Local) {
        provider.requestStream(target) { [hasHead] part in
            if case .head = part { hasHead.fulfill(()) }
        } completion: { [isOver] in
            isOver.fulfill($0)
        }
    }

    @Test("an event stream may be silent for hours", arguments: TransportKind.allCases)
    func hours(_ kind: TransportKind) async throws {
        let hasMore = Box(false)
        let server = try LoopbackServer { _ in Self.silent(until: hasMore) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make(), scheduler: time)
        var events = provider.events(Local(server), as: Int.self).makeAsyncIterator()
        try await expectEqual(events.next(), 1)
        time.advance(by: .seconds(7200))
        hasMore.value = true
        try await expectEqual(events.next(), 2)
    }

    @Test("a server may send the head of an event stream with its first event")
    func lateHead() async throws {
        let hasMore = Box(false)
        let server = try LoopbackServer { _ in
            LoopbackReply([.waitUntil { hasMore.value }] + LoopbackReply.events([ServerSentEvent(data: "1")]).steps)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(scheduler: time)
        let events = Task { try await provider.events(Local(server), as: Int.self).first { _ in true } }
        try await until { !server.requests.isEmpty }
        time.advance(by: .seconds(7200))
        hasMore.value = true
        try await expectEqual(events.value, 1)
    }

    @Test("the type of a response shows that it is an event stream", arguments: TransportKind.allCases)
    func undeclared(_ kind: TransportKind) async throws {
        let hasMore = Box(false)
        let server = try LoopbackServer { _ in Self.silent(until: hasMore, type: "Text/Event-Stream; charset=utf-8") }
        defer { server.stop() }
        start(MoyaProvider<Local>(transport: try kind.make(), scheduler: time), Local(server))
        try await hasHead.value()
        time.advance(by: .seconds(7200))
        hasMore.value = true
        try await expectEqual(isOver.value().get().statusCode, 200)
    }

    @Test(
        "other content may not be silent for 60 seconds, also if an event stream was requested",
        arguments: ["text/event-stream", nil])
    func otherContent(_ accept: String?) async throws {
        let server = try LoopbackServer { _ in Self.silent(until: Box(false), type: "text/plain") }
        defer { server.stop() }
        let target = Local(server, headers: accept.map { ["Accept": $0] })
        start(MoyaProvider<Local>(scheduler: time), target)
        try await hasHead.value()
        // The first bytes may arrive after the head, and begin the silence again.
        try await until { [time, isOver] in
            time.advance(by: .seconds(60))
            return isOver.isFulfilled
        }
        let result = try await isOver.value()
        #expect(throws: MoyaError.self) { try result.get() }
    }

    @Test("a redirect may not be silent, and neither may an event stream with an error, whatever the target accepts")
    func discarded() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/moved" else { return Self.silent(until: Box(false), 401) }
            let fields: HTTPHeaders = ["Location": "/other", "Content-Length": "10"]
            return LoopbackReply([.send(LoopbackReply.head(302, fields)), .waitUntil { false }])
        }
        defer { server.stop() }
        for path in ["/moved", "/refused"] {
            let isOver = Promise<Result<Response, MoyaError>>()
            let provider = MoyaProvider<Local>(scheduler: time)
            provider.requestStream(Local(server, path, headers: ["Accept": "text/event-stream"])) { _ in
            } completion: {
                isOver.fulfill($0)
            }
            try await until { [time] in
                time.advance(by: .seconds(1))
                return isOver.isFulfilled
            }
            let error = await #expect(throws: MoyaError.self) { try await isOver.value().get() }
            expectEqual(error?.kind, .timeout)
        }
    }

    @Test("a refused response may not be silent, also if it is an event stream")
    func refused() async throws {
        struct Strict: TargetType {
            let baseURL: URL
            let path = ""
            let validationType = ValidationType.successCodes
        }
        let server = try LoopbackServer { _ in Self.silent(until: Box(false), 500) }
        defer { server.stop() }
        let isOver = Box(false)
        let provider = MoyaProvider<Strict>(scheduler: time)
        provider.requestStream(Strict(baseURL: server.url)) { _ in
        } completion: { _ in
            isOver.value = true
        }
        try await until { [time] in
            time.advance(by: .seconds(1))
            return isOver.value
        }
    }

    /// Sets the interval of each request.
    private struct IntervalPlugin: PluginType {
        let interval: TimeInterval
        func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
            var request = request
            request.timeoutInterval = interval
            return request
        }
    }

    @Test("an idle timeout that was set applies to event streams, too")
    func requested() async throws {
        var assigned = Timeouts()
        assigned.idle = .seconds(60)
        let providers = [
            MoyaProvider<Local>(timeouts: Timeouts(idle: .seconds(60)), scheduler: time),
            MoyaProvider<Local>(timeouts: assigned, scheduler: time),
            MoyaProvider<Local>(plugins: [IntervalPlugin(interval: 50)], scheduler: time),
        ]
        let server = try LoopbackServer { _ in Self.silent(until: Box(false)) }
        defer { server.stop() }
        for provider in providers {
            let hasEvent = Promise<Void>()
            let failure = Promise<MoyaError?>()
            Task {
                do {
                    for try await _ in provider.events(Local(server), as: Int.self) { hasEvent.fulfill(()) }
                    failure.fulfill(nil)
                } catch {
                    failure.fulfill(error as? MoyaError)
                }
            }
            try await hasEvent.value()
            // The silence begins when the event is acknowledged, which may be after this line.
            try await until { [time] in
                time.advance(by: .seconds(60))
                return failure.isFulfilled
            }
            let error = try await failure.value()
            expectEqual(error?.kind, .timeout)
        }
    }

    @Test("the interval of 60 seconds that Foundation sets in each request is not an idle timeout that was set")
    func intervalOfFoundation() async throws {
        let hasMore = Box(false)
        let server = try LoopbackServer { _ in Self.silent(until: hasMore) }
        defer { server.stop() }
        let url = server.url
        let provider = MoyaProvider<Local>(
            requestClosure: { _, done in done(.success(URLRequest(url: url))) }, scheduler: time)
        var events = provider.events(Local(server), as: Int.self).makeAsyncIterator()
        try await expectEqual(events.next(), 1)
        time.advance(by: .seconds(7200))
        hasMore.value = true
        try await expectEqual(events.next(), 2)
    }

    #if os(Linux)
        @Test("TCP keep-alive probes a silent server after 60 seconds")
        func keepAlive() async throws {
            let server = try LoopbackServer { _ in Self.silent(until: Box(false)) }
            defer { server.stop() }
            let transport = try CurlTransport()
            #expect(transport.capabilities.contains(.keepAlive))
            start(MoyaProvider<Local>(transport: transport), Local(server))
            try await hasHead.value()
            let port = try #require(server.url.port)
            // The fields of a line are: number, local address, remote address, state, queues, timer and its time, …
            let remote = ":" + String(port, radix: 16, uppercase: true)
            var timers: [Substring] = []
            let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
            for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
                let fields = line.split(separator: " ")
                let isEstablished = fields[3] == "01"
                if fields[2].hasSuffix(remote), isEstablished { timers.append(fields[5]) }
            }
            expectEqual(timers.count, 1)
            for timer in timers {
                // The timer 2 is that of keep-alive; its time is in hundredths of a second.
                #expect(timer.hasPrefix("02:"))
                #expect((1...6000).contains(Int(timer.dropFirst(3), radix: 16) ?? 0))
            }
        }
    #endif

    @Test("so may an event stream of a stub, which has no header fields")
    func stubs() throws {
        let chunks = [Data("data: 1\n\n".utf8), Data("data: 2\n\n".utf8)]
        let transport = StubTransport(on: time) { _ in .chunks(200, chunks, every: .seconds(90)) }
        let provider = MoyaProvider<Page>(transport: transport, scheduler: time)
        let values = try time.run {
            try await provider.events(Page(), as: Int.self).reduce(into: []) { $0.append($1) }
        }
        expectEqual(values, [1, 2])
    }
}
