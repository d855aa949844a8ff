import Foundation
import MoyaStreams
import MoyaTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private enum Secured: TargetType {
    case zen, profile
    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    var path: String { "/" }
}

extension Secured: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? { self == .zen ? nil : .bearer }
}

/// Targets, plugins and a view model compile with the main actor as the default isolation, and work there.
@Suite(.timeLimit(.minutes(10))) struct MainActorTests {
    private let provider = MoyaProvider<GitHub>(
        stubClosure: MoyaProvider.immediatelyStub, plugins: [PlatformPlugin()])

    @Test("an async call updates a view model")
    func awaits() async {
        let model = ProfileModel(provider: provider)
        await model.load("ash")
        #expect(model.name == "ash")
        #expect(!model.isLoading)
    }

    @Test("a target that conforms in an extension has its token in each kind of call, or none if it opts out")
    func tokens() async throws {
        let transport = StubTransport { request in
            .networkResponse(200, Data((request.headers["Authorization"] ?? "none").utf8))
        }
        let provider = MoyaProvider<Secured>(
            transport: transport, plugins: [AccessTokenPlugin(every: .bearer) { _ in "x" }])
        #expect(try await provider.response(.profile).mapString() == "Bearer x")
        #expect(try await provider.value(.zen, as: String.self) == "none")
        #expect(try await provider.request(.zen).mapString().value() == "none")
        let text = await withCheckedContinuation { continuation in
            provider.request(.profile, onMain: { continuation.resume(returning: try? $0.get().mapString()) })
        }
        #expect(text == "Bearer x")
    }

    @Test("an error has a text that can be shown")
    func errors() async {
        let model = ProfileModel(provider: .stubbed { _ in .status(200, Data("{}".utf8)) })
        await model.load("ash")
        #expect(model.message?.isEmpty == false)
    }

    @Test("a completion runs on the main actor")
    func completes() async {
        let model = ProfileModel(provider: provider)
        await withCheckedContinuation { continuation in
            model.loadWithCompletion("misty") { continuation.resume() }
        }
        #expect(model.name == "misty")
        #expect(!model.isLoading)
    }

    @Test("the closures of a stream run on the main actor")
    func streams() async {
        let model = ProfileModel(provider: provider)
        await withCheckedContinuation { continuation in
            model.loadWithStream("brock") { continuation.resume() }
        }
        #expect(model.name == "brock")
    }

    @Test("a search runs in virtual time, and its result arrives on the main actor")
    func searches() {
        let time = VirtualTime()
        let (typed, emitter) = Signal<String>.pipe()
        let model = ProfileModel(provider: provider)
        model.search(typed, on: time)
        emitter.send("as")
        time.advance(by: .milliseconds(100))
        emitter.send("ash")
        time.advance(by: .milliseconds(300))
        #expect(model.names == ["ash1", "ash2"])
    }

    @Test("the samples of the articles work: a response, its text, and a progress on the main actor")
    func samples() async throws {
        let response = try await provider.response(.user("ash"))
        #expect(try response.mapString() == #"{"login": "ash"}"#)
        #expect(response.request?.value(forHTTPHeaderField: "X-Platform") == "ios")
        var isComplete = false
        await withCheckedContinuation { continuation in
            provider.request(
                .user("ash"), progress: { isComplete = $0.completed }, onMain: { _ in continuation.resume() })
        }
        #expect(isComplete)
    }
}
