import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct RequestInterceptorTests {
    private let time = VirtualTime()
    private let log = Log()

    /// An interceptor that logs its calls, marks the request and decides as its script says.
    private struct Scribe: RequestInterceptor {
        let name: String
        let log: Log
        var inspectsSuccesses = false
        var decision: @Sendable (AttemptOutcome) -> RetryDecision = { _ in .doNotRetry }

        func adapt(
            _ request: TransportRequest, for target: any RelativeTarget,
            _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
        ) -> any Cancellable {
            log.add("\(name).adapt")
            var request = request
            request.setValue((request.value(forHTTPHeaderField: "X-Trace") ?? "") + name, forHTTPHeaderField: "X-Trace")
            done(.success(request))
            done(.failure(.requestMapping("too late")))
            return .noOp
        }

        func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable {
            log.add("\(name).retry \(outcome.attempt)")
            done(decision(outcome))
            done(.retry(after: .zero))
            return .noOp
        }
    }

    private func provider(
        _ interceptors: [any RequestInterceptor], _ samples: [EndpointSampleResponse],
        behavior: StubBehavior = .immediate
    ) -> MoyaProvider<MyService> {
        let sample = EndpointSampleResponse.sequence(samples)
        return MoyaProvider<MyService>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: sample) },
            stubClosure: { _ in behavior }, plugins: [Witness(name: "P", log: log)], interceptors: interceptors,
            scheduler: time)
    }

    @discardableResult
    private func send(on provider: MoyaProvider<MyService>) -> any Cancellable {
        provider.request(.zen) { [log] result in
            switch result {
            case .success(let response):
                log.add("\(response.statusCode) \(response.request?.value(forHTTPHeaderField: "X-Trace") ?? "")")
            case .failure(let error): log.add("\(error.kind)")
            }
        }
    }

    private let server = EndpointSampleResponse.networkResponse(503, Data())
    private let success = EndpointSampleResponse.networkResponse(200, Data())

    @Test("interceptors run around each attempt, in order; the methods of plugins run between them")
    func order() {
        let again: @Sendable (AttemptOutcome) -> RetryDecision = {
            $0.attempt == 1 ? .retry(after: .seconds(3)) : .doNotRetry
        }
        let provider = provider(
            [Scribe(name: "A", log: log), Scribe(name: "B", log: log, decision: again)], [server, success])
        send(on: provider)
        expectEqual(log.entries.last, "B.retry 1")
        time.advance(by: .milliseconds(2999))
        expectEqual(log.entries.last, "B.retry 1")
        time.advance(by: .milliseconds(1))
        expectEqual(
            log.entries,
            [
                "A.adapt", "B.adapt", "P.prepare", "P.willSend", "P.didReceive", "A.retry 1", "B.retry 1", "A.adapt",
                "B.adapt",
                "P.prepare", "P.willSend", "P.didReceive", "P.process", "201 ABP",
            ])
    }

    @Test("the first interceptor with a decision determines the outcome; successes are not passed to interceptors")
    func decisions() {
        let fails = Scribe(name: "A", log: log) { _ in .fail(.requestMapping("enough")) }
        send(on: provider([fails, Scribe(name: "B", log: log)], [server]))
        expectEqual(log.entries.last, "request")
        #expect(!log.entries.contains("B.retry 1"))
        let calm = Log()
        let provider = MoyaProvider<MyService>(
            stubClosure: MoyaProvider.immediatelyStub, interceptors: [Scribe(name: "A", log: calm)])
        provider.request(.zen) { _ in }
        expectEqual(calm.entries, ["A.adapt"])
    }

    @Test("an interceptor that inspects successes can repeat a request whose 200 contains an error")
    func inspectsSuccesses() {
        let scribe = Scribe(name: "A", log: log, inspectsSuccesses: true) { outcome in
            outcome.response?.data == Data("error".utf8) ? .retry(after: .zero) : .doNotRetry
        }
        let calm = Scribe(name: "B", log: log)
        send(on: provider([calm, scribe], [.networkResponse(200, Data("error".utf8)), success]))
        time.run()
        expectEqual(log.entries.filter { $0.contains("retry") }, ["A.retry 1", "A.retry 2"])
        expectEqual(log.entries.last, "201 BAP")
    }

    @Test("a completed download is not passed to an interceptor that inspects successes")
    func inspectsNoDownloads() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "moya.\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let scribe = Scribe(name: "A", log: log, inspectsSuccesses: true) { _ in .retry(after: .zero) }
        let provider = MoyaProvider<MyService>(
            endpointClosure: { _ in
                Endpoint(
                    url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data("content".utf8)) },
                    task: .downloadDestination { _, _ in (place, []) })
            }, stubClosure: MoyaProvider.immediatelyStub, interceptors: [scribe], scheduler: time)
        send(on: provider)
        time.run()
        expectEqual(log.entries, ["A.adapt", "200 A"])
        try expectEqual(String(contentsOf: place, encoding: .utf8), "content")
    }

    @Test("interceptors are called with any validation, also for a 401 that the target accepts")
    func withoutValidation() {
        let scribe = Scribe(name: "A", log: log) { outcome in
            outcome.response?.statusCode == 401 ? .retry(after: .zero) : .doNotRetry
        }
        send(on: provider([scribe], [.networkResponse(401, Data()), success]))
        time.run()
        expectEqual(log.entries.last, "201 AP")
    }

    @Test("a failed adaptation ends the call before anything is sent")
    func failingAdapt() {
        struct Refusing: RequestInterceptor {
            func adapt(
                _ request: TransportRequest, for target: any RelativeTarget,
                _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
            ) -> any Cancellable {
                done(.failure(.underlying(Failure(id: 3), nil)))
                return .noOp
            }
            func retry(
                _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
            ) -> any Cancellable {
                done(.doNotRetry)
                return .noOp
            }
        }
        send(on: provider([Refusing(), Scribe(name: "A", log: log)], [success]))
        expectEqual(log.entries, ["P.process", "other"])
    }

    /// An interceptor that stores its completions, which the test calls later.
    private final class Holding: RequestInterceptor {
        let adaptations = Box<[@Sendable (Result<TransportRequest, MoyaError>) -> Void]>([])
        let decisions = Box<[@Sendable (RetryDecision) -> Void]>([])

        func adapt(
            _ request: TransportRequest, for target: any RelativeTarget,
            _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
        ) -> any Cancellable {
            adaptations.change { $0.append(done) }
            return .noOp
        }

        func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable {
            decisions.change { $0.append(done) }
            return .noOp
        }
    }

    @Test("a cancel ends a call that waits for an interceptor immediately, with one outcome")
    func cancelWhileWaiting() throws {
        let holding = Holding()
        let provider = provider([holding], [server])
        let request = try TransportRequest(method: .get, url: #require(URL(string: "http://a.example/")))

        send(on: provider).cancel()
        expectEqual(log.entries, ["P.process", "cancelled"])
        holding.adaptations.value[0](.success(request))
        expectEqual(log.entries.count, 2)

        let second = send(on: provider)
        holding.adaptations.value[1](.success(request))
        expectEqual(holding.decisions.value.count, 1)
        second.cancel()
        holding.decisions.value[0](.retry(after: .zero))
        time.run()
        expectEqual(log.entries.count { $0 == "cancelled" }, 2)
        expectEqual(log.entries.count { $0 == "P.willSend" }, 1)
        expectEqual(log.entries.count { $0 == "P.didReceive" }, 1)

        let third = send(on: provider)
        holding.adaptations.value[2](.success(request))
        holding.decisions.value[1](.retry(after: .seconds(5)))
        time.advance(by: .seconds(1))
        third.cancel()
        expectEqual(log.entries.last, "cancelled")
        time.run()
        expectEqual(holding.adaptations.value.count, 3)
    }

    @Test("interceptors with async closures adapt and retry requests")
    func asyncInterceptor() async throws {
        let attempts = Box(0)
        let interceptor = AsyncInterceptor(
            adapt: { request, _ in
                await Task.yield()
                attempts.change { $0 += 1 }
                var request = request
                request.setValue("\(attempts.value)", forHTTPHeaderField: "X-Trace")
                return request
            },
            retry: { $0.attempt < 3 ? .retry(after: .zero) : .doNotRetry })
        let sample = EndpointSampleResponse.sequence([server, server, success])
        let provider = MoyaProvider<MyService>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: sample) },
            stubClosure: MoyaProvider.immediatelyStub, interceptors: [interceptor])
        let response = try await provider.response(.zen)
        expectEqual(response.statusCode, 200)
        expectEqual(response.request?.value(forHTTPHeaderField: "X-Trace"), "3")
        let failing = AsyncInterceptor(adapt: { _, _ in throw Failure(id: 9) })
        let refused = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub, interceptors: [failing])
        let error = await #expect(throws: MoyaError.self) { try await refused.response(.zen) }
        expectEqual(error?.underlyingError as? Failure, Failure(id: 9))
    }

    @Test("a request that nothing has cancelled does not fail as cancelled if what an interceptor awaits is cancelled")
    func cancelledWork() async throws {
        let interceptor = AsyncInterceptor(adapt: { _, _ in throw CancellationError() })
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub, interceptors: [interceptor])
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
        expectEqual(error?.kind, .request)
        expectEqual(error?.isCancelled, false)
    }

    enum Place: CaseIterable {
        case adaptation, decision, adaptationAfterPause
    }

    @Test("a cancel of the request cancels the task of an async closure", arguments: Place.allCases)
    func asyncInterceptorIsCancelled(_ place: Place) async throws {
        let hasBegun = Promise<Void>()
        let isCancelled = Promise<Bool>()
        let (never, continuation) = AsyncStream<Int>.makeStream()
        let wait: @Sendable () async -> Void = {
            hasBegun.fulfill(())
            // The loop ends when the task is cancelled.
            for await _ in never {}
            isCancelled.fulfill(Task.isCancelled)
        }
        let attempts = Log()
        let interceptor = AsyncInterceptor(
            adapt: { request, _ in
                attempts.add("attempt")
                let isPlace = attempts.entries.count == 1 ? place == .adaptation : place == .adaptationAfterPause
                if isPlace { await wait() }
                return request
            },
            retry: { _ in
                if place == .decision { await wait() }
                return .doNotRetry
            })
        let again = Scribe(name: "again", log: Log()) { _ in .retry(after: .zero) }
        let sample = server
        let provider = MoyaProvider<MyService>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: { sample }) },
            stubClosure: MoyaProvider.immediatelyStub, interceptors: [interceptor, again], scheduler: .immediate)
        let outcome = Promise<Result<Response, MoyaError>>()
        let call = provider.request(.zen) { outcome.fulfill($0) }
        try await hasBegun.value()
        call.cancel()
        #expect(try await isCancelled.value())
        let error = await #expect(throws: MoyaError.self) { try await outcome.value().get() }
        expectEqual(error?.kind, .cancelled)
        continuation.finish()
    }

    @Test("many retries without a delay do not grow the stack")
    func manyRetries() {
        let times = manyTimes / 10
        let scribe = Scribe(name: "A", log: Log()) { $0.attempt < times ? .retry(after: .zero) : .doNotRetry }
        let provider = MoyaProvider<MyService>(
            endpointClosure: { _ in
                Endpoint(url: "http://a.example/", sampleResponseClosure: { .networkResponse(503, Data()) })
            }, stubClosure: MoyaProvider.immediatelyStub, interceptors: [scribe], scheduler: time)
        let status = Box(0)
        provider.request(.zen) { status.value = (try? $0.get().statusCode) ?? 0 }
        time.run()
        expectEqual(status.value, 503)
    }

    @Test("a file that an interceptor gives as the content is sent, also if plugins take a URLRequest")
    func fileContent() async throws {
        struct Old: PluginType {}
        let file = FileManager.default.temporaryDirectory.appending(path: "moya-\(UUID().uuidString)")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sent = Box<[String]>([])
        let transport = StubTransport { request in
            if case .file(let url) = request.body { sent.change { $0.append(url.lastPathComponent) } }
            return .networkResponse(200, Data())
        }
        let provider = MoyaProvider<MyService>(
            transport: transport, plugins: [Old()],
            interceptors: [
                AsyncInterceptor(adapt: { request, _ in
                    var request = request
                    request.method = .put
                    request.body = .file(file)
                    return request
                })
            ])
        _ = try await provider.response(.zen)
        expectEqual(sent.value, [file.lastPathComponent])
    }

    @Test("the content of a success may refuse a credential", arguments: [false, true])
    func refusedInASuccess(_ inspectsSuccesses: Bool) async throws {
        let sent = Log()
        let transport = StubTransport { request in
            sent.add(request.headers["Authorization"] ?? "none")
            return .networkResponse(200, Data())
        }
        let interceptor = AuthenticationInterceptor(
            credential: 1, apply: { $1.headers["Authorization"] = "\($0)" }, isRefused: { $0.statusCode == 200 },
            inspectsSuccesses: inspectsSuccesses, refresh: { $0 + 1 })
        _ = try await MoyaProvider<Page>(transport: transport, interceptors: [interceptor]).response(Page())
        expectEqual(sent.entries, inspectsSuccesses ? ["1", "2"] : ["1"])
    }
}
