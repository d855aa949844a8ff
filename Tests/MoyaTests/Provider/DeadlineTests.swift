import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the error of a deadline carries.
@Suite struct DeadlineTests {
    @Test(
        "the error of a deadline carries what was received", arguments: Engine.allCases,
        [Timeouts(idle: .milliseconds(400)), Timeouts(idle: nil, total: .milliseconds(400))])
    func carriesWhatWasReceived(_ engine: Engine, _ timeouts: Timeouts) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply([
                .send(LoopbackReply.head(203, ["Content-Length": "8", "X-A": "b"])), .send(Data("half".utf8)),
                .wait(.seconds(3600)),
            ])
        }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(transport: try engine.make(), timeouts: timeouts, scheduler: time)
        let hasCome = Promise<Void>()
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(Local(server, "/x")) { progress in
            if progress.completedUnitCount == 4 { hasCome.fulfil(()) }
        } completion: { result in
            outcome.fulfil(result)
        }
        try await hasCome.value()
        time.advance(by: .milliseconds(400))
        guard case .failure(let error) = try await outcome.value() else {
            Issue.record("it succeeds")
            return
        }
        #expect(error.kind == .timeout)
        #expect(error.response?.statusCode == 203)
        #expect(error.response?.headers["X-A"] == "b")
        #expect(error.response?.data == Data("half".utf8))
        #expect(error.response?.request?.url?.path == "/x")
    }

    @Test("a stub in pieces whose time is up carries the pieces that have come")
    func carriesPiecesOfAStub() {
        struct Piecemeal: TargetType {
            let baseURL = URL(filePath: "/").absoluteURL
            let path = "/"
        }
        let time = VirtualTime()
        let provider = MoyaProvider<Piecemeal>(
            endpointClosure: { _ in
                Endpoint(
                    url: "http://a.example/",
                    sampleResponseClosure: {
                        .chunks(200, ["one,", "two,", "three"].map { Data($0.utf8) }, every: .seconds(1))
                    })
            }, stubClosure: { _ in .immediate }, timeouts: Timeouts(idle: nil, total: .milliseconds(2500)),
            scheduler: time)
        let error = Box<MoyaError?>(nil)
        provider.request(Piecemeal()) { result in
            if case .failure(let failure) = result { error.value = failure }
        }
        time.advance(by: .milliseconds(2499))
        #expect(error.value == nil)
        time.advance(by: .milliseconds(1))
        #expect(error.value?.kind == .timeout)
        #expect(error.value?.response?.statusCode == 200)
        #expect(error.value?.response?.data == Data("one,two,".utf8))
    }

    @Test("the error of a deadline that nothing came before carries nothing", arguments: Engine.allCases)
    func carriesNothing(_ engine: Engine) async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(
            transport: try engine.make(), timeouts: Timeouts(idle: .seconds(1)), scheduler: time)
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(Local(server)) { outcome.fulfil($0) }
        try await until { !server.requests.isEmpty }
        time.advance(by: .seconds(1))
        guard case .failure(let error) = try await outcome.value() else {
            Issue.record("it succeeds")
            return
        }
        #expect(error.kind == .timeout)
        #expect(error.response == nil)
    }
}
