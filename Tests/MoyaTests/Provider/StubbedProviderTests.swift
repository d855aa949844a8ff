import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct StubbedProviderTests {
    private enum Thing: TargetType {
        case one, other
        var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
        var path: String { "/" }
        var validationType: ValidationType { self == .one ? .successCodes : .none }
    }

    @Test("the closure returns the response for each target, when it is due")
    func responses() async throws {
        let count = Box(0)
        let provider = MoyaProvider<Thing>.stubbed { target in
            count.change { $0 += 1 }
            return target == .one ? .status(401) : .status(200, Data("\(count.value)".utf8))
        }
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.one) }
        expectEqual(error?.response?.statusCode, 401)
        try await expectEqual(provider.response(.other).mapString(), "2")
    }

    @Test("a failure that is a MoyaError is delivered as it is, with its response")
    func moyaError() async throws {
        let refusal = MoyaError.statusCode(Response(statusCode: 409, data: Data("m".utf8)))
        let provider = MoyaProvider<Thing>.stubbed { _ in .networkError(refusal) }
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.other) }
        expectEqual(error?.response?.statusCode, 409)
        expectEqual(error?.kind, .http)
    }

    @Test("stubs that take time have interceptors, too, in virtual time")
    func delayedWithConfiguration() throws {
        let time = VirtualTime()
        let responses = EndpointSampleResponse.sequence([.status(503), .status(200)])
        let provider = MoyaProvider<Thing>.stubbed(
            after: .seconds(60), on: time,
            configuration: ProviderConfiguration(interceptors: [.retry(.constant(.seconds(5), times: 1))])
        ) { _ in responses() }
        try expectEqual(time.run { try await provider.response(.other).statusCode }, 200)
        expectEqual(time.elapsed, .seconds(125))
    }

    @Test("the stubs have the behavior and the provider the options that are given")
    func behavior() {
        let time = VirtualTime()
        let log = Log()
        let provider = MoyaProvider<Thing>.stubbed(
            configuration: ProviderConfiguration(
                plugins: [NetworkActivityPlugin { change, _ in log.add("\(change)") }], scheduler: time),
            stubClosure: MoyaProvider.delayedStub(3)
        ) { _ in .networkError(URLError(.timedOut)) }
        provider.request(.one) { _ in log.add("completed") }
        expectEqual(log.entries, ["began"])
        time.run()
        expectEqual(log.entries, ["began", "ended", "completed"])
    }

    @Test("a completion and the progress run on the main actor")
    func mainActor() async {
        let provider = MoyaProvider<Thing>.stubbed { _ in .status(200) }
        let status = await withCheckedContinuation { continuation in
            provider.request(
                .other, progress: { _ in MainActor.assertIsolated() },
                onMain: { result in
                    MainActor.assertIsolated()
                    continuation.resume(returning: try? result.get().statusCode)
                })
        }
        expectEqual(status, 200)
    }

    @Test("a request of a MultiTarget completes on the main actor")
    func mainActorOfMultiTarget() async {
        let provider = MoyaProvider<MultiTarget>.stubbed { _ in .status(204) }
        let status = await withCheckedContinuation { continuation in
            provider.request(
                Thing.other, onMain: { continuation.resume(returning: (try? $0.get().statusCode) ?? 0) })
        }
        expectEqual(status, 204)
    }
}
