import Dispatch
import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct CallObserverTests {
    private struct Closure: CallObserver {
        let body: @Sendable (CallEvent) -> Void
        func observe(_ event: CallEvent) { body(event) }
    }

    @Test("3: an observer that blocks does not hold up requests, and receives the number of events behind")
    func slowObserver() async throws {
        let gate = DispatchSemaphore(value: 0)
        let backlogs = Box<[Int]>([])
        let recorder = EventRecorder()
        let observer = Closure { event in
            if backlogs.value.isEmpty { gate.wait() }
            backlogs.change { $0.append(event.backlog) }
        }
        let provider = MoyaProvider<Page>(transport: ScriptedOrigin.redirecting(), observers: [observer, recorder])
        for _ in 0..<20 { _ = try await provider.response(Page()) }
        #expect(recorder.events.isEmpty)
        gate.signal()
        try await expectEqual(recorder.events(afterEnds: 20).count, 100)
        #expect(backlogs.value.max() ?? 0 > 90)
        expectEqual(backlogs.value.last, 0)
    }

    @Test("4: an observer may use the provider")
    func reentrancy() async throws {
        let provider = Box<MoyaProvider<Page>?>(nil)
        let recorder = EventRecorder()
        let hasNested = Box(false)
        let observer = Closure { event in
            guard event.name == "ended 200", !hasNested.value else { return }
            hasNested.value = true
            provider.value?.request(Page(path: "/nested")) { _ in }
        }
        provider.value = MoyaProvider<Page>(
            transport: ScriptedOrigin.redirecting(), observers: [observer, recorder])
        _ = try await provider.value?.response(Page())
        let names = try await recorder.names(afterEnds: 2)
        #expect(names.contains("sending /nested"))
        provider.value = nil
    }

    @Test("4: an observer may cancel all requests")
    func cancelsFromObserver() async throws {
        let provider = Box<MoyaProvider<Page>?>(nil)
        let recorder = EventRecorder()
        let observer = Closure { if case .sending = $0.kind { provider.value?.cancelAll() } }
        provider.value = MoyaProvider<Page>(transport: SilentOrigin(), observers: [observer, recorder])
        provider.value?.request(Page()) { _ in }
        try await expectEqual(recorder.names().last, "ended cancelled")
        provider.value = nil
    }

    @Test("5: without observers, calls have no observation and exchanges no function that reports them")
    func noObservers() {
        #expect(ProviderContext(ProviderConfiguration()).events == nil)
    }

    @Test("all observers receive each event, on one thread at a time")
    func severalObservers() async throws {
        let recorders = [EventRecorder(), EventRecorder()]
        let isBusy = Box(false)
        let overlaps = Box(0)
        let exclusive = Closure { _ in
            if isBusy.value { overlaps.change { $0 += 1 } }
            isBusy.value = true
            isBusy.value = false
        }
        let provider = MoyaProvider<Page>(
            transport: ScriptedOrigin.redirecting(), observers: [exclusive, recorders[0], recorders[1]])
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = try? await provider.response(Page(path: "/2")) } }
        }
        for recorder in recorders { try await expectEqual(recorder.events(afterEnds: 50).count, 50 * 11) }
        expectEqual(overlaps.value, 0)
    }

    @Test("events wait for the clock of a test, and time is that of its scheduler")
    func virtualTime() {
        let time = VirtualTime()
        let recorder = EventRecorder()
        let provider = MoyaProvider<Page>(
            stubClosure: MoyaProvider.delayedStub(2), scheduler: time, observers: [recorder])
        time.advance(by: .seconds(1))
        provider.request(Page()) { _ in }
        #expect(recorder.events.isEmpty)
        time.run()
        expectEqual(recorder.events.map(\.time), [.seconds(1), .seconds(3)])
    }

    @Test("12: error.type is a status code or a kind of failure")
    func errorTypes() async throws {
        func errorTypes(_ page: Page) async throws -> [String?] {
            let recorder = EventRecorder()
            let provider = MoyaProvider<Page>(transport: ScriptedOrigin.redirecting(), observers: [recorder])
            _ = try? await provider.response(page)
            return try await recorder.events().filter { $0.exchanged != nil || $0.name.hasPrefix("ended") }
                .map(\.errorType)
        }
        try await expectEqual(errorTypes(Page()), [nil, nil])
        try await expectEqual(errorTypes(Page(path: "/503")), ["503", "503"])
        try await expectEqual(errorTypes(Page(path: "/lost")), ["connectionLost", "connectionLost"])
        try await expectEqual(errorTypes(Page(path: "/1")), [nil, nil, nil])
        let refused = MoyaError.statusCode(Response(statusCode: 404, data: Data()))
        let event = CallEvent(
            call: 1, target: TargetLabel(Page()), attempt: 1, exchange: 1, time: .zero, context: nil, backlog: 0,
            kind: .ended(.failure(refused), duration: .zero))
        expectEqual(event.errorType, "404")
    }

    @Test("13: a label has no values of the target")
    func labels() {
        struct ShowUser: RelativeTarget {
            let path = "/users/{id}?secret=1"
            let id: Int
        }
        struct Plain: RelativeTarget { let path = "/users/7" }
        expectEqual(TargetLabel(MyService.showUser(id: 7)), TargetLabel(MyService.showUser(id: 8)))
        expectEqual(TargetLabel(MyService.showUser(id: 7)).name, "MyService.showUser")
        #expect(TargetLabel(MyService.zen).pathTemplate == nil)
        expectEqual(TargetLabel(ShowUser(id: 7)), TargetLabel(MultiTarget(ShowUser(id: 8))))
        expectEqual(TargetLabel(ShowUser(id: 7)).pathTemplate, "/users/{id}")
        expectEqual(TargetLabel(ShowUser(id: 7)).description, "ShowUser")
        #expect(TargetLabel(Plain()).pathTemplate == nil)
    }

    @Test("14: a printed event has no value of the query, the credentials, the fields and the content")
    func printsNoSecrets() async throws {
        let recorder = EventRecorder()
        let provider = MoyaProvider<MultiTarget>(
            endpointClosure: { _ in
                Endpoint(
                    url: "https://name:s3cret@a.test/1?key=s3cret&s3cret#s3cret",
                    sampleResponseClosure: { .networkResponse(200, Data()) },
                    httpHeaderFields: ["Authorization": "Bearer s3cret"])
            },
            transport: ScriptedOrigin { request, _ in
                request.url.path == "/1"
                    ? (302, ["Location": "/0?token=s3cret", "Set-Cookie": "a=s3cret"], "s3cret") : (404, [:], "s3cret")
            }, observers: [recorder])
        _ = try await provider.response(MyService.createUser(firstName: "s3cret", lastName: "s3cret"))
        let text = try await recorder.events().map { "\($0) \($0.kind)" }.joined(separator: "\n")
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(text.contains("MyService.createUser: sending GET https://a.test/1?key=***"), "\(text)")
    }
}
