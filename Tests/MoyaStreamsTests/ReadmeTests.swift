import Foundation
import MoyaStreams
import MoyaTesting
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

/// Runs the tests of the README and of the article `GettingStarted`; `.ci/run samples` compiles all code of both.
@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
    @Test func aMinuteTakesNoTime() {
        let time = VirtualTime(tick: .seconds(10))
        let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
        let zen = stubbed.request(.zen).mapString().map { _ in "z" }
        #expect(time.play(zen).marbles == "------(z|)")
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
        #expect(time.play(found).marbles == "------b-----c-|")
    }
}
