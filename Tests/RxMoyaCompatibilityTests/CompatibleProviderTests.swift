import Foundation
import RxMoyaCompatibility
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A subclass that counts its requests.
private final class CountingProvider<Target: TargetType>: MoyaProvider<Target> {
    let requests = Box(0)

    override func request(
        _ target: Target, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none,
        completion: @escaping Completion
    ) -> Cancellable {
        requests.change { $0 += 1 }
        return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}

/// A subclass that adds a header field to the endpoints of its requests.
private final class SigningProvider<Target: TargetType>: MoyaProvider<Target> {
    override func endpoint(_ token: Target) -> Endpoint {
        return super.endpoint(token).adding(newHTTPHeaderFields: ["X-Signature": "s"])
    }
}

@Suite(.queued, .timeLimit(.minutes(10))) struct CompatibleProviderTests {
    @Test("results are delivered on the main queue unless a queue is given")
    func mainQueue() async throws {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(0.001))
        // Not `Thread.isMainThread`: on Linux, other threads may run the main queue.
        let main = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: main, value: true)
        let isMain = Promise<Bool>()
        provider.request(.zen) { _ in isMain.fulfill(DispatchQueue.getSpecific(key: main) == true) }
        #expect(try await isMain.value())

        let label = Promise<Bool>()
        let queue = DispatchQueue(label: "callbacks")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        provider.request(.zen, callbackQueue: queue) { _ in
            label.fulfill(DispatchQueue.getSpecific(key: key) == true)
        }
        #expect(try await label.value())
    }

    @Test("the results of immediate stubs are delivered before request returns")
    func immediateStubs() {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let log = Log()
        provider.request(.zen) { result in log.add((try? result.get().mapString()) ?? "failed") }
        #expect(log.entries == ["Half measures are as bad as nothing at all."])
    }

    @Test("rx uses the method that a subclass overrides, once for each subscription")
    func overriddenMethod() async throws {
        let provider = CountingProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let zen = provider.rx.request(.zen).mapString()
        #expect(provider.requests.value == 0)
        #expect(try await zen.asObservable().value() == "Half measures are as bad as nothing at all.")
        _ = try await zen.asObservable().value()
        #expect(provider.requests.value == 2)
        let progress = try await provider.rx.requestWithProgress(.zen).toArray().asObservable().value()
        #expect(progress.last?.completed == true)
        #expect(provider.requests.value == 3)
    }

    @Test("requests use the endpoint that a subclass overrides; those of the underlying provider do not")
    func overriddenEndpoint() async throws {
        let provider = SigningProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let signed = try await provider.rx.request(.zen).asObservable().value()
        #expect(signed.request?.value(forHTTPHeaderField: "X-Signature") == "s")
        let other = try await provider.underlyingProvider.response(.zen)
        #expect(other.request?.value(forHTTPHeaderField: "X-Signature") == nil)
    }

    @Test("the stub closure is called once for each request")
    func stubClosure() {
        let calls = Log()
        let provider = MoyaProvider<GitHub>(stubClosure: { target in
            calls.add(target.path)
            return .immediate
        })
        let results = Log()
        provider.request(.zen) { _ in results.add("result") }
        provider.request(.rename("ash")) { _ in results.add("result") }
        #expect(results.entries.count == 2)
        #expect(calls.entries == ["/zen", "/user"])
    }

    @Test("cancelling the subscription cancels the request")
    func cancels() async throws {
        let log = Log()
        let plugin = NetworkActivityPlugin { change, _ in log.add("\(change)") }
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(3600), plugins: [plugin])
        let subscription = provider.rx.request(.zen).subscribe { _ in log.add("event") }
        subscription.dispose()
        #expect(log.entries == ["began", "ended"])
    }

    @Test("many threads may use one provider")
    func manyThreads() {
        let provider = CountingProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let completed = Box(0)
        inParallel(Array(0..<8)) { _ in
            for _ in 0..<50 { provider.rx.request(.zen).subscribe(onSuccess: { _ in completed.change { $0 += 1 } }) }
        }
        #expect(completed.value == 400)
        #expect(provider.requests.value == 400)
    }

    @Test("the underlying provider sends the same requests")
    func underlyingProvider() async throws {
        let provider = MoyaProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [AccessTokenPlugin(every: .bearer) { _ in "token" }])
        let response = try await provider.underlyingProvider.response(.zen)
        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "Bearer token")
    }
}
