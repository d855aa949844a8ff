import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct UploadTests {
    @Test("the values of a stream are the content of a request, subscribed to each time it is sent")
    func sends() async throws {
        let attempts = Box(0)
        let server = try LoopbackServer { request in
            attempts.change { $0 += 1 }
            return attempts.value == 1 ? .status(503) : .echo(request)
        }
        defer { server.stop() }
        let subscribed = Box(0)
        let content = Observable.from([Data("ab".utf8), Data("cd".utf8)])
            .handleEvents(onSubscribe: { subscribed.change { $0 += 1 } })
        let provider = MoyaProvider<Local>()
        let target = Local(server, method: .put, task: .upload(content, length: 4, contentType: "text/plain"))
        let text = try await provider.request(target).filterSuccessfulStatusCodes().retry(times: 1).mapString().value()
        expectEqual(text, "abcd")
        expectEqual(subscribed.value, 2)
        expectEqual(server.requests.last?.headers["Content-Type"], "text/plain")
        expectEqual(server.requests.last?.headers["Content-Length"], "4")
    }

    @Test("a signal is content as well; its failure fails the request")
    func fails() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let (signal, emitter) = Signal<Data>.pipe()
        let provider = MoyaProvider<Local>()
        let error = Promise<any Error>()
        provider.request(Local(server, method: .post, task: .upload(signal)))
            .subscribe(onError: { error.fulfill($0) })
        try await until { signal.hasObservers }
        emitter.send(Data("a".utf8))
        emitter.fail(Failure(id: 9))
        let failure = try await error.value()
        expectEqual((failure as? MoyaError)?.kind, .request)
        #expect(server.requests.isEmpty)
    }

    @Test("R21: content whose source is released without an end fails the request instead of being sent as whole")
    func released() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let content = Observable<Data> { emitter in emitter.send(Data("a".utf8)) }
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Local>().request(Local(server, method: .post, task: .upload(content))).value()
        }
        expectEqual(error?.kind, .request)
        #expect("\(try #require(error))".contains("released"))
        #expect(server.requests.isEmpty)
    }

    @Test("content that is not repeatable fails a request that has to be sent again, instead of being empty")
    func notRepeatable() async throws {
        let server = try LoopbackServer { $0.path == "/new" ? .echo($0) : .status(307, headers: ["Location": "/new"]) }
        defer { server.stop() }
        let content = Observable.just(Data("a".utf8))
        let once = Local(server, method: .put, task: .upload(content, isRepeatable: false))
        let error = await #expect(throws: MoyaError.self) { try await MoyaProvider<Local>().request(once).value() }
        expectEqual(error?.kind, .request)
        let again = Local(server, method: .put, task: .upload(content))
        try await expectEqual(MoyaProvider<Local>().request(again).mapString().value(), "a")
    }

    @Test("7a-5: cancelling the request cancels the subscription to the content")
    func cancels() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let (signal, emitter) = Signal<Data>.pipe()
        let provider = MoyaProvider<Local>()
        let subscription = provider.request(Local(server, method: .post, task: .upload(signal))).subscribe()
        try await until { signal.hasObservers }
        emitter.send(Data("a".utf8))
        subscription.cancel()
        try await until { !signal.hasObservers }
    }
}
