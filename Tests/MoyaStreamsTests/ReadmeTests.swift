import Foundation
import MoyaStreams
import MoyaTesting
import Observation
import TestSupport
import Testing

enum GitHub: TargetType {
    case zen, user(String)
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen: "/zen"
        case .user(let name): "/users/\(name)"
        }
    }
}

private enum Search: TargetType {
    case search(String)
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/search/repositories" }
    var parameters: [String: any Sendable]? {
        switch self {
        case .search(let text): ["q": text]
        }
    }
    var sampleData: Data {
        switch self {
        case .search(let text): Data(#"{"items": [{"name": "\#(text)"}]}"#.utf8)
        }
    }
}

private struct Found: Decodable {
    struct Item: Decodable { let name: String }
    let items: [Item]
}

extension TypedTarget<Search, Found> {
    fileprivate static func search(_ text: String) -> Self { Self(.search(text)) }
}

/// Runs tests of the README and of the articles; `.ci/run samples` compiles all their code.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReadmeTests {
    @Test func aMinuteTakesNoTime() {
        let time = VirtualTime(tick: .seconds(10))
        let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
        let zen = stubbed.request(.zen).mapString().map { _ in "z" }
        expectEqual(time.play(zen).marbles, "------(z|)")
    }

    private func names(
        for text: some Subscribable<String>, from provider: MoyaProvider<Search>, on scheduler: any Scheduler
    ) -> Observable<[String]> {
        text.debounce(for: .milliseconds(300), on: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { text in
                provider.requestValue(.search(text)).map { found in found.items.map(\.name) }.catchAndReturn([])
            }
    }

    @Test func searchesAfterAPause() {
        let time = VirtualTime(tick: .milliseconds(100))
        let provider = MoyaProvider<Search>(stubClosure: MoyaProvider.delayedStub(0.2), scheduler: time)
        let typed = time.hot("ab-----c------|")
        let found = names(for: typed, from: provider, on: time).map { $0.joined() }
        expectEqual(time.play(found).marbles, "------b-----c-|")
    }
}

// MARK: Getting started

private enum Accounts: TargetType {
    case user(String)
    var baseURL: URL { URL(string: "https://api.github.com") ?? URL(filePath: "/") }
    var path: String {
        switch self {
        case .user(let name): "/users/\(name)"
        }
    }
}

private struct Account: Decodable {
    let login: String
    let followers: Int
}

@MainActor @Observable private final class AccountModel {
    enum State { case loading, loaded(Account), failed(String) }

    private(set) var state = State.loading
    private let provider: MoyaProvider<Accounts>

    init(provider: MoyaProvider<Accounts>) { self.provider = provider }

    func load(_ name: String) async {
        state = .loading
        do {
            state = .loaded(try await provider.value(.user(name), as: Account.self))
        } catch {
            if !error.isCancelled { state = .failed(error.localizedDescription) }
        }
    }
}

@MainActor @Suite("The tests of Getting started", .queued, .timeLimit(.minutes(10)))
struct GettingStartedTests {
    @Test func showsTheFollowers() async {
        let provider = MoyaProvider<Accounts>.stubbed { _ in
            .status(200, Data(#"{"login": "ash", "followers": 7}"#.utf8))
        }
        let model = AccountModel(provider: provider)
        await model.load("ash")
        guard case .loaded(let user) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        expectEqual(user.followers, 7)
    }

    @Test func saysThatTheServerIsAway() async {
        let model = AccountModel(provider: .stubbed { _ in .networkError(URLError(.cannotConnectToHost)) })
        await model.load("ash")
        guard case .failed(let message) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        expectEqual(message, "The server can't be reached.")
    }

    @Test func aSlowServerTakesNoTime() async throws {
        let time = VirtualTime()
        let answer = Data(#"{"login": "ash", "followers": 7}"#.utf8)
        let model = AccountModel(provider: .stubbed(after: .seconds(60), on: time) { _ in .status(200, answer) })
        try await time.onMainActor.run { await model.load("ash") }
        guard case .loaded = model.state else {
            Issue.record("\(model.state)")
            return
        }
        expectEqual(time.elapsed, .seconds(60))
    }

    @Test("a load that is cancelled shows no error")
    func cancelled() async {
        let model = AccountModel(provider: .stubbed { _ in .networkError(URLError(.cancelled)) })
        await model.load("ash")
        guard case .loading = model.state else {
            Issue.record("\(model.state)")
            return
        }
    }
}
