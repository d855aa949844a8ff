import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum Service: TargetType {
    case zen
    case user(Int)

    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    var path: String { "/" }
    var sampleData: Data {
        switch self {
        case .zen: Data("zen".utf8)
        case .user(let id): Data(#"{"id": \#(id), "name": "Harry"}"#.utf8)
        }
    }
}

struct Trainer: Decodable, Sendable, Equatable {
    var id: Int
    var name: String
}

@Suite(.queued, .timeLimit(.minutes(10))) struct ProviderStreamTests {
    let time = VirtualTime()

    @Test func aChainOfFilterAndMapEmitsAtOnceForAnImmediateStub() {
        let provider = MoyaProvider<Service>(stubClosure: MoyaProvider.immediatelyStub)
        let user = Box<Trainer?>(nil)
        let completed = Box(false)
        provider.request(.user(7)).filterSuccessfulStatusCodes().map(Trainer.self)
            .subscribe(onNext: { user.value = $0 }, onCompleted: { completed.value = true })
        expectEqual(user.value, Trainer(id: 7, name: "Harry"))
        #expect(completed.value)
    }

    @Test func aDelayedStubArrivesWhenItsTimeHasCome() {
        let provider = MoyaProvider<Service>(stubClosure: MoyaProvider.delayedStub(3), scheduler: time)
        let user = time.record(provider.request(.user(5)).filterSuccessfulStatusCodes().map(Trainer.self))
        time.advance(by: .seconds(2))
        #expect(user.events.isEmpty)
        time.advance(by: .seconds(1))
        expectEqual(user.elements, [Trainer(id: 5, name: "Harry")])
        #expect(user.isCompleted)
        expectEqual(user.events.map(\.time), [.seconds(3), .seconds(3)])
    }

    @Test("R2: nothing is sent before a subscription, and each subscription sends a request")
    func requestsAreCold() {
        let made = Box(0)
        let provider = MoyaProvider<Service>(
            endpointClosure: { target in
                made.change { $0 += 1 }
                return MoyaProvider.defaultEndpointMapping(for: target)
            }, stubClosure: MoyaProvider.immediatelyStub)
        let stream = provider.request(.zen).mapString()
        expectEqual(made.value, 0)
        expectEqual(time.play(stream).elements, ["zen"])
        expectEqual(time.play(stream).elements, ["zen"])
        expectEqual(made.value, 2)
    }

    @Test("R5: a cancelled subscription cancels the request")
    func cancelReachesTheRequest() {
        struct Ending: PluginType {
            let log: Log
            func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
                if case .failure(let error) = result { log.add("\(error.kind)") }
            }
        }
        let log = Log()
        let provider = MoyaProvider<Service>(
            stubClosure: MoyaProvider.delayedStub(3), plugins: [Ending(log: log)], scheduler: time)
        let recording = time.record(provider.request(.zen))
        recording.cancel()
        time.run()
        expectEqual(log.entries, ["cancelled"])
        #expect(recording.events.isEmpty)
        expectEqual(time.elapsed, .zero)
    }

    private func answering(_ status: Int, _ text: String) -> Observable<Response> {
        .just(Response(statusCode: status, data: Data(text.utf8)))
    }

    private func kind(_ stream: some Subscribable) -> MoyaError.Kind? {
        (time.play(stream).error as? MoyaError)?.kind
    }

    @Test func transformsFailAsTheResponseDoes() {
        expectEqual(kind(answering(404, "").filterSuccessfulStatusCodes()), .http)
        expectEqual(kind(answering(304, "").filterSuccessfulStatusCodes()), .http)
        #expect(kind(answering(304, "").filterSuccessfulStatusAndRedirectCodes()) == nil)
        expectEqual(kind(answering(10, "").filter(statusCodes: 0...9)), .http)
        expectEqual(kind(answering(42, "").filter(statusCode: 43)), .http)
        expectEqual(kind(answering(200, "{").mapJSON()), .decoding)
        expectEqual(kind(answering(200, "{}").map(Trainer.self)), .decoding)
        #expect(kind(answering(200, "").mapJSON(failsOnEmptyData: false)) == nil)
        expectEqual(time.play(answering(200, "[1]").mapJSON()).elements, [[1]])
    }

    @Test func aFailureIsAlwaysAMoyaError() {
        let provider = MoyaProvider<Service>(
            endpointClosure: { _ in
                Endpoint(url: "http://a.example/", sampleResponseClosure: { .networkError(URLError(.timedOut)) })
            }, stubClosure: MoyaProvider.immediatelyStub)
        expectEqual(kind(provider.request(.zen)), .timeout)
    }

    @Test func progressEndsWithTheResponse() {
        let provider = MoyaProvider<Service>(stubClosure: MoyaProvider.immediatelyStub)
        let recording = time.play(provider.requestWithProgress(.zen))
        expectEqual(recording.elements.map(\.progress), [1])
        #expect(recording.isCompleted)
        expectEqual(time.play(provider.requestWithProgress(.zen).filterCompleted().mapString()).elements, ["zen"])
        #expect(time.play(provider.requestWithProgress(.zen).filterProgress()).elements.isEmpty)
    }

    @Test func aMultiTargetProviderTakesAnyTarget() {
        struct Register: RelativeTarget {
            let path = "/account/register"
            let method = Moya.Method.post
            let sampleData = Data(#"{"welcome": true}"#.utf8)
        }
        let provider = MoyaProvider<MultiTarget>(
            baseURL: URL(string: "http://yourbaseurl.example/v1"), stubClosure: MoyaProvider.immediatelyStub)
        let welcomed = Box(false)
        provider.request(Register()).mapJSON().subscribeNext { welcomed.value = $0["welcome"]?.bool == true }
        #expect(welcomed.value)
    }
}
