import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// The code of the article on testing a search, which is compiled and run.
@Suite(.queued, .timeLimit(.minutes(10))) struct TutorialTests {
    enum Zen: TargetType {
        case zen
        // swift-format-ignore: NeverForceUnwrap
        var baseURL: URL { URL(string: "https://api.example")! }
        var path: String { "/zen" }
        var sampleData: Data { Data("Half measures are as bad as nothing at all.".utf8) }
    }

    func results(
        _ typed: some Subscribable<String>, on scheduler: any Scheduler,
        search: @escaping @Sendable (String) -> Observable<String>
    ) -> Observable<String> {
        typed
            .debounce(for: .milliseconds(3), on: scheduler)
            .flatMapLatest { search($0).retry(.constant(.milliseconds(2), times: 1), on: scheduler) }
    }

    @Test func aSearchAsYouType() {
        let time = VirtualTime()
        let typed = time.hot("ab------c-------------|")
        let responses = ["b": time.cold("-----x|"), "c": time.cold("--#")]
        let shown = time.record(results(typed, on: time) { responses[$0]?.observable ?? .never() })
        time.run()
        #expect(responses["b"]?.subscriptions == ["----^-----!"])
        #expect(responses["c"]?.subscriptions == ["-----------^-!", "---------------^-!"])
        #expect(shown == "---------x-------#")
        #expect(time.leftovers.isEmpty)
    }

    @Test func orderDoesNotMatter() throws {
        try VirtualTime.explore { time in
            let typed = time.hot("ab------c--|")
            return time.play(results(typed, on: time) { time.cold("--\($0)|").observable })
        }
    }

    @Test func asyncCode() throws {
        let time = VirtualTime()
        let provider = MoyaProvider<Zen>(stubClosure: MoyaProvider.delayedStub(3), scheduler: time)
        #expect(try time.run { try await provider.response(.zen).statusCode } == 200)
        #expect(time.elapsed == .seconds(3))
    }

    @Test func everyLineOfTheArticlesCodeIsInThisFile() throws {
        let article = try Article(
            "Sources/MoyaTesting/MoyaTesting.docc/SearchAsYouType.md", compiledIn: #filePath)
        #expect(article.blocks.count == 4)
        for line in article.blocks.flatMap({ $0 }) where line != "}" {
            #expect(article.code.contains(line) || article.code.contains("return \(line)"), "\(line)")
        }
    }
}
