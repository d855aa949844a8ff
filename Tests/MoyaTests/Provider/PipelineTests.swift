import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct PipelineTests {
    let log = Log()
    let time = VirtualTime()

    private func provider(
        _ behavior: StubBehavior = .immediate, requestClosure: MoyaProvider<MyService>.RequestClosure? = nil,
        timeouts: Timeouts = Timeouts(), transport: (any Transport)? = nil
    ) -> MoyaProvider<MyService> {
        MoyaProvider<MyService>(
            endpointClosure: { [log] target in
                log.add("endpoint")
                return MoyaProvider.defaultEndpointMapping(for: target)
            },
            requestClosure: { [log] endpoint, done in
                log.add("request")
                if let requestClosure {
                    requestClosure(endpoint, done)
                } else {
                    MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done)
                }
            },
            stubClosure: { [log] _ in
                log.add("stub")
                return behavior
            },
            transport: transport,
            plugins: [Witness(name: "A", log: log), Witness(name: "B", log: log)],
            timeouts: timeouts, scheduler: time)
    }

    private func note(_ result: Result<Response, MoyaError>) {
        switch result {
        case .success(let response): log.add("success \(response.statusCode)")
        case .failure(let error): log.add("failure \(error.kind)")
        }
    }

    @Test func oneRequestGoesThroughAllHooksInOrder() {
        let trace = Box<String?>(nil)
        provider().request(.zen) { result in
            note(result)
            trace.value = (try? result.get())?.request?.value(forHTTPHeaderField: "X-Trace")
        }
        expectEqual(
            log.entries,
            [
                "endpoint", "stub", "request", "A.prepare", "B.prepare", "A.willSend", "B.willSend", "A.didReceive",
                "B.didReceive", "A.process", "B.process", "success 202",
            ])
        expectEqual(trace.value, "AB")
    }

    @Test func aFailingRequestClosureReachesProcessAndCompletionOnly() {
        provider(requestClosure: { _, done in done(.failure(.requestMapping("no"))) }).request(.zen) { note($0) }
        expectEqual(log.entries, ["endpoint", "stub", "request", "A.process", "B.process", "failure request"])
    }

    @Test func onlyTheFirstAnswerOfARequestClosureCounts() {
        provider(requestClosure: { endpoint, done in
            MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done)
            MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done)
            done(.failure(.requestMapping("too late")))
        }).request(.zen) { note($0) }
        expectEqual(log.entries.count { $0.hasPrefix("success") }, 1)
        expectEqual(log.entries.count { $0 == "A.willSend" }, 1)
        #expect(!log.entries.contains { $0.hasPrefix("failure") })
    }

    @Test func aDelayedStubAnswersWhenItsTimeHasCome() {
        provider(.delayed(seconds: 3)).request(.zen) { note($0) }
        expectEqual(log.entries.last, "B.willSend")
        time.advance(by: .milliseconds(2999))
        expectEqual(log.entries.last, "B.willSend")
        time.advance(by: .milliseconds(1))
        expectEqual(log.entries.last, "success 202")
    }

    @Test(
        "invalid delays count as zero or as very long, and do not crash",
        arguments: [-1, Double.nan, 0, -Double.infinity])
    func hostileDelays(_ seconds: Double) {
        provider(.delayed(seconds: seconds)).request(.zen) { note($0) }
        time.run()
        expectEqual(log.entries.last, "success 202")
        expectEqual(time.elapsed, .zero)
    }

    @Test func aCancelBeforeTheRequestIsMadeTellsNoPlugin() {
        let later = Box<(@Sendable () -> Void)?>(nil)
        let call = provider(requestClosure: { endpoint, done in
            later.value = { MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done) }
        }).request(.zen) { note($0) }
        call.cancel()
        call.cancel()
        later.value?()
        expectEqual(log.entries, ["endpoint", "stub", "request", "A.process", "B.process", "failure cancelled"])
        #expect(call.isCancelled)
    }

    @Test func aCancelWhileWaitingTellsEachPluginOnce() {
        let call = provider(.delayed(seconds: 3)).request(.zen) { note($0) }
        call.cancel()
        time.run()
        expectEqual(
            log.entries.suffix(5), ["A.didReceive", "B.didReceive", "A.process", "B.process", "failure cancelled"])
        expectEqual(log.entries.count { $0.hasPrefix("failure") || $0.hasPrefix("success") }, 1)
        expectEqual(time.elapsed, .zero)
    }

    @Test func aCancelFromWillSendCompletesAfterEveryPluginHeardOfIt() {
        let call = Box<(any Cancellable)?>(nil)
        struct Canceller: PluginType {
            let call: Box<(any Cancellable)?>
            func willSend(_ request: RequestType, target: any RelativeTarget) { call.value?.cancel() }
        }
        let resume = Box<(@Sendable () -> Void)?>(nil)
        let provider = MoyaProvider<MyService>(
            requestClosure: { endpoint, done in
                resume.value = { MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done) }
            },
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [Witness(name: "A", log: log), Canceller(call: call), Witness(name: "B", log: log)])
        call.value = provider.request(.zen) { note($0) }
        resume.value?()
        expectEqual(
            log.entries,
            [
                "A.prepare", "B.prepare", "A.willSend", "B.willSend", "A.didReceive", "B.didReceive", "A.process",
                "B.process", "failure cancelled",
            ])
    }

    @Test func aCancelAfterTheEndDoesNothing() {
        let call = provider().request(.zen) { note($0) }
        let entries = log.entries
        call.cancel()
        expectEqual(log.entries, entries)
        #expect(!call.isCancelled)
    }

    @Test func theTotalTimeoutEndsAStubThatTakesTooLong() {
        provider(.delayed(seconds: 60), timeouts: Timeouts(total: .milliseconds(1500))).request(.zen) { note($0) }
        time.run()
        expectEqual(log.entries.last, "failure timeout")
        expectEqual(time.elapsed, .milliseconds(1500))
    }

    @Test("an interval that is not a positive number is refused", arguments: [0, -5, Double.infinity, Double.nan])
    func hostileIntervals(_ interval: Double) {
        provider(requestClosure: { endpoint, done in
            var request = try? endpoint.urlRequest()
            request?.timeoutInterval = interval
            if let request { done(.success(request)) }
        }).request(.zen) { note($0) }
        expectEqual(log.entries.last, "failure request")
        #expect(!log.entries.contains("A.willSend"))
    }

    @Test("a callback queue receives progress and result, in order")
    func callbackQueue() {
        let provider = provider()
        provider.request(.zen, callbackQueue: time, progress: { [log] in log.add("progress \($0.progress)") }) {
            note($0)
        }
        expectEqual(log.entries.last, "B.process")
        time.run()
        expectEqual(log.entries.suffix(2), ["progress 1.0", "success 202"])
    }

    @Test func theRequestsQueueWinsOverTheProviders() {
        let other = VirtualTime()
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub, callbackQueue: other)
        provider.request(.zen, callbackQueue: time) { note($0) }
        other.run()
        #expect(log.entries.isEmpty)
        time.run()
        expectEqual(log.entries, ["success 200"])
        provider.request(.zen) { note($0) }
        expectEqual(log.entries.count, 1)
        other.run()
        expectEqual(log.entries.count, 2)
    }

    @Test func validationMakesAFailureOfAStatusThatIsNotExpected() {
        struct Strict: TargetType {
            var baseURL: URL { MyService.zen.baseURL }
            let path = "/"
            let validationType: ValidationType
        }
        func kind(_ status: Int, _ validation: ValidationType) -> MoyaError.Kind? {
            let provider = MoyaProvider<Strict>(
                endpointClosure: { target in
                    Endpoint(
                        url: "http://a.example/", sampleResponseClosure: { .networkResponse(status, Data("b".utf8)) })
                },
                stubClosure: MoyaProvider.immediatelyStub)
            let kind = Box<MoyaError.Kind?>(nil)
            provider.request(Strict(validationType: validation)) { result in
                guard case .failure(let error) = result else { return }
                kind.value = error.response?.data == Data("b".utf8) ? error.kind : nil
            }
            return kind.value
        }
        #expect(kind(404, .none) == nil)
        expectEqual(kind(404, .successCodes), .http)
        expectEqual(kind(302, .successCodes), .http)
        #expect(kind(302, .successAndRedirectCodes) == nil)
        #expect(kind(287, .customCodes([287])) == nil)
        expectEqual(kind(200, .customCodes([287])), .http)
        #expect(kind(500, .customCodes([])) == nil)
    }

    @Test func awaitingGivesTheSameAndACancelOfTheTaskCancels() async throws {
        let provider = provider(.delayed(seconds: 1))
        async let response = provider.response(.zen)
        try await until { [log] in log.entries.contains("B.willSend") }
        time.run()
        try await expectEqual(response.statusCode, 202)
        let task = Task { try await provider.response(.zen) }
        try await until { [log] in log.entries.count { $0 == "B.willSend" } == 2 }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        expectEqual(error?.kind, .cancelled)
    }

    @Test func aCallKeepsItsProviderAlive() {
        weak var held: MoyaProvider<MyService>?
        do {
            let provider = provider(.delayed(seconds: 1))
            held = provider
            provider.request(.zen) { note($0) }
        }
        #expect(held != nil)
        time.run()
        expectEqual(log.entries.last, "success 202")
        #expect(held == nil)
    }

    @Test func aCancelThatRacesWithTheRequestClosureLeaksNothing() async throws {
        for _ in 0..<500 {
            weak var held: MoyaProvider<MyService>?
            let done = Promise<Void>()
            do {
                let provider = MoyaProvider<MyService>(
                    requestClosure: { endpoint, done in
                        (DispatchScheduler.background as any Scheduler).schedule {
                            MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done)
                        }
                    }, stubClosure: MoyaProvider.immediatelyStub)
                held = provider
                let call = provider.request(.zen) { _ in done.fulfill(()) }
                call.cancel()
            }
            try await done.value()
            let passed = Promise<Void>()
            (DispatchScheduler.background as any Scheduler).schedule { passed.fulfill(()) }
            try await passed.value()
            #expect(held == nil)
        }
    }

    @Test func aTaskThatIsCancelledAlreadySendsNothing() async {
        let provider = provider()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await provider.response(.zen)
        }
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        expectEqual(error?.kind, .cancelled)
        #expect(log.entries.isEmpty)
    }
}
