import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The threads and the times at which typed calls decode.
@Suite(.queued, .timeLimit(.minutes(10))) struct TypedCallTests {
    private struct Thing: RelativeTarget {
        var path = "/thing"
    }

    private struct Item: Decodable, Sendable, Equatable { let id: Int }

    private struct OnProcess: PluginType {
        let action: @Sendable () -> Void

        func process(
            _ result: Result<Response, MoyaError>, target: any RelativeTarget
        ) -> Result<Response, MoyaError> {
            action()
            return result
        }
    }

    @Test("a response that cannot be decoded gives the same error from a stub and from a server")
    func stubAndServer() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": "x"}"#) }
        defer { server.stop() }
        let live = MoyaProvider<Stubbed>(endpointClosure: {
            Endpoint(
                url: server.url.absoluteString, sampleResponseClosure: { .networkResponse(200, Data()) },
                method: $0.method)
        })
        let target = Stubbed(content: #"{"id": "x"}"#).json(Item.self)
        let errors = [
            await failure { () async throws(MoyaError) in try await live.value(target) },
            await failure { () async throws(MoyaError) in try await MoyaProvider<Stubbed>.stubbed().value(target) },
        ]
        for error in errors {
            guard case .objectMapping(DecodingError.typeMismatch, let response)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            expectEqual(response.statusCode, 200)
        }
    }

    @Test("a typed call reports its progress, the last one with the response, before it returns")
    func progress() async throws {
        let content = Data(#"{"id": 7}"#.utf8)
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Type": "application/json"], body: content)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Thing>(baseURL: server.url)
        let reports = Box<[ProgressResponse]>([])
        let target = TypedTarget<Thing, Item>(Thing())
        let item = try await provider.value(target, progress: { report in reports.change { $0.append(report) } })
        expectEqual(item, Item(id: 7))
        expectEqual(reports.value.last?.response?.statusCode, 200)
        expectEqual(reports.value.last?.completedUnitCount, Int64(content.count))
        let count = reports.value.count
        let (value, response) = try await provider.valueAndResponse(
            target, progress: { report in reports.change { $0.append(report) } })
        expectEqual(value, item)
        #expect(reports.value.count > count)
        expectEqual(reports.value.last?.response?.data, response.data)
    }

    @Test("two mappings share one exchange, and the failure of one does not affect the other")
    func sharedExchange() async throws {
        let isJoined = Box(false)
        let server = try LoopbackServer { _ in .json(#"{"id": 7}"#).after(.waitUntil { isJoined.value }) }
        defer { server.stop() }
        let provider = MoyaProvider<Thing>(baseURL: server.url, trackInflights: true)
        let item = Promise<Result<Item, MoyaError>>()
        let id = Promise<Result<Int, MoyaError>>()
        let wrong = Promise<Result<String, MoyaError>>()
        provider.requestValue(TypedTarget<Thing, Item>(Thing())) { item.fulfill($0) }
        provider.requestValue(TypedTarget<Thing, Int>(Thing(), at: "id")) { id.fulfill($0) }
        provider.requestValue(TypedTarget<Thing, String>(Thing(), .json(at: "id"))) { wrong.fulfill($0) }
        isJoined.value = true
        try await expectEqual(item.value().get(), Item(id: 7))
        try await expectEqual(id.value().get(), 7)
        if case .failure(let error) = try await wrong.value() {
            expectEqual(error.kind, .decoding)
        } else {
            Issue.record("a number is no string")
        }
        expectEqual(server.requests.count, 1)
    }

    @Test("a task that is cancelled between response and decoding fails with `cancelled`, and nothing is decoded")
    func cancelBeforeDecoding() async throws {
        let task = Box<Task<MoyaError?, Never>?>(nil)
        let isReady = Promise<Bool>()
        let isDecoded = Box(false)
        let provider = MoyaProvider<Stubbed>.stubbed(plugins: [OnProcess { task.value?.cancel() }])
        let target = TypedTarget(
            Stubbed(),
            ResponseMapping<Int> { _, _ in
                isDecoded.value = true; return 1
            })
        let running = Task { () -> MoyaError? in
            _ = try? await isReady.value()
            return await failure { () async throws(MoyaError) in try await provider.value(target) }
        }
        task.value = running
        isReady.fulfill(true)
        await expectEqual(running.value?.kind, .cancelled)
        #expect(!isDecoded.value)
    }

    @Test("a call that is cancelled before or during decoding fails with `cancelled`", arguments: [true, false])
    func cancelWhileMapping(_ isBefore: Bool) {
        let time = VirtualTime()
        let call = Box<(any Cancellable)?>(nil)
        let isDecoded = Box(false)
        let provider = MoyaProvider<Thing>(
            baseURL: URL(string: "https://a.example"), stubClosure: MoyaProvider.delayedStub(1),
            plugins: [OnProcess { if isBefore { call.value?.cancel() } }], scheduler: time)
        let mapping = ResponseMapping<Int> { _, _ in
            isDecoded.value = true
            call.value?.cancel()
            return 1
        }
        let kinds = Box<[MoyaError.Kind?]>([])
        call.value = provider.requestValue(TypedTarget(Thing(), mapping)) { result in
            var kind: MoyaError.Kind?
            if case .failure(let error) = result { kind = error.kind }
            kinds.change { $0.append(kind) }
        }
        time.run()
        expectEqual(kinds.value, [.cancelled])
        #expect(call.value?.isCancelled == true)
        expectEqual(isDecoded.value, !isBefore)
    }

    @MainActor
    @Test("nothing is decoded on the transport's thread or on the main actor")
    func threads() async throws {
        let server = PageServer(later: { _, done in
            let thread = Thread { done(.init(content: "1")) }
            thread.name = "transport"
            thread.start()
        })
        let provider = MoyaProvider<Thing>(baseURL: URL(string: "https://a.example"), transport: server)
        let names = Log()
        let target = TypedTarget(
            Thing(),
            ResponseMapping<Int> { _, _ in
                names.add(Thread.isMainThread ? "main" : Thread.current.name == "transport" ? "transport" : "other")
                return 1
            })
        _ = try await provider.value(target)
        let done = Promise<Bool>()
        provider.requestValue(target) { _ in done.fulfill(true) }
        #expect(try await done.value())
        expectEqual(names.entries, ["other", "other"])
    }

    @Test(
        "with a callback, an immediate stub completes before the method returns")
    func callbacks() {
        let provider = MoyaProvider<Stubbed>.stubbed()
        let seen = Box<Int?>(nil)
        provider.requestValue(Stubbed(content: "7").json(Int.self)) { seen.value = try? $0.get() }
        expectEqual(seen.value, 7)
        let multi = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        struct Seven: TargetType, DecodableTargetType {
            typealias Value = Int
            let path = "/"
            let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
            let sampleData = Data("8".utf8)
        }
        multi.requestValue(Seven()) { seen.value = try? $0.get() }
        expectEqual(seen.value, 8)
    }

    @Test("a delayed stub is decoded in virtual time; a cancel ends it with one failure")
    func virtualTime() {
        let time = VirtualTime()
        let provider = MoyaProvider<Stubbed>(stubClosure: MoyaProvider.delayedStub(5), scheduler: time)
        let log = Log()
        let target = Stubbed(content: "7").json(Int.self)
        provider.requestValue(target) { log.add("\((try? $0.get()) ?? -1)") }
        let call = provider.requestValue(target) { result in
            if case .failure(let error) = result { log.add("\(error.kind)") }
        }
        call.cancel()
        call.cancel()
        time.run()
        expectEqual(log.entries, ["cancelled", "7"])
    }

    @Test("a task that is cancelled before a call sends nothing")
    func cancelledBefore() async throws {
        let log = Log()
        let provider = MoyaProvider<Stubbed>.stubbed(plugins: [OnProcess { log.add("sent") }])
        let isReady = Promise<Bool>()
        let task = Task { () -> MoyaError.Kind? in
            _ = try? await isReady.value()
            return await failure { () async throws(MoyaError) in
                try await provider.value(Stubbed(content: "1").json(Int.self))
            }?.kind
        }
        task.cancel()
        isReady.fulfill(true)
        await expectEqual(task.value, .cancelled)
        #expect(log.entries.isEmpty)
    }

    @Test("awaited calls do not wait for the provider's callback queue, which may be busy")
    func callbackQueue() async throws {
        let busy = VirtualTime()
        let transport = StubTransport { _ in .networkResponse(200, Data("[1]".utf8)) }
        let provider = MoyaProvider<Page>(callbackQueue: busy, transport: transport)
        let target = TypedTarget<Page, [Int]>(Page())
        try await expectEqual(provider.response(Page()).statusCode, 200)
        try await expectEqual(provider.value(target), [1])
        try await expectEqual(provider.value(Page(), as: [Int].self), [1])
        for try await line in provider.jsonLines(Page(), as: [Int].self) { expectEqual(line, [1]) }
        for try await page in provider.pages(target, next: .link) { expectEqual(page.value, [1]) }
    }
}
