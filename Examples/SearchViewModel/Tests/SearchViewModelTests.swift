import Foundation
import MoyaStreams
import MoyaTesting
import Observation
import Synchronization
import Testing

@testable import SearchViewModel

/// Time is virtual: no test waits, and each runs the same every time.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SearchViewModelTests {
    private let time = VirtualTime(tick: .milliseconds(100))
    private let log = RequestLog()

    @Test("a search begins when the text has not changed for 300 ms")
    func debounce() {
        let model = makeModel()
        for text in ["m", "mo", "moya"] {
            model.text = text
            time.advance(by: .milliseconds(200))
        }
        #expect(log.entries.isEmpty)
        #expect(model.state == .idle)
        time.advance(by: .milliseconds(100))
        #expect(log.entries == ["sends moya"])
        #expect(model.state == .searching)
        time.advance(by: .milliseconds(200))
        #expect(model.state == .found([Repository(id: 1, fullName: "moya/moya")]))
        #expect(time.leftovers.isEmpty)
    }

    @Test("a new search cancels the request of the previous one, whose results are never shown")
    func cancelPrevious() {
        let model = makeModel(latency: 1)
        model.text = "moya"
        time.advance(by: .milliseconds(400))
        model.text = "rx"
        time.advance(by: .milliseconds(300))
        #expect(log.entries == ["sends moya", "cancels moya", "sends rx"])
        time.run()
        #expect(log.entries.last == "receives rx")
        #expect(model.state == .found([Repository(id: 1, fullName: "rx/rx")]))
    }

    @Test("the same text, or one that differs in spaces only, is not searched for again")
    func sameText() {
        let model = makeModel()
        for text in ["moya", "moya ", " moya"] {
            model.text = text
            time.run()
        }
        #expect(log.entries == ["sends moya", "receives moya"])
    }

    @Test("an empty text ends the search")
    func emptyText() {
        let model = makeModel(latency: 1)
        model.text = "moya"
        time.advance(by: .milliseconds(300))
        model.text = ""
        time.run()
        #expect(log.entries == ["sends moya", "cancels moya"])
        #expect(model.state == .idle)
    }

    @Test("a failure is shown, and the next search works")
    func failure() {
        let model = makeModel(failing: "offline")
        model.text = "offline"
        time.run()
        #expect(model.state == .failed("There is no network connection."))
        model.text = "moya"
        time.run()
        #expect(model.state == .found([Repository(id: 1, fullName: "moya/moya")]))
    }

    @Test("releasing the model cancels its request")
    func release() {
        var model: SearchViewModel? = makeModel(latency: 1)
        model?.text = "moya"
        time.advance(by: .milliseconds(300))
        model = nil
        #expect(log.entries == ["sends moya", "cancels moya"])
        #expect(time.leftovers.isEmpty)
    }

    @Test("observers of the state are notified")
    func observation() {
        let model = makeModel()
        let isNotified = Flag()
        withObservationTracking {
            _ = model.state
        } onChange: {
            isNotified.set()
        }
        model.text = "moya"
        #expect(!isNotified.isSet)
        time.advance(by: .milliseconds(300))
        #expect(isNotified.isSet)
    }

    @Test("as a marble diagram: one character is 100 ms, s is searching, f is found")
    func marbles() {
        let texts = time.hot("-m-o-------r-----|")
        let states = SearchViewModel.states(for: texts, provider: makeProvider(), scheduler: time)
        #expect(time.play(states.map(\.symbol)).marbles == "------s-f-----s-f|")
    }

    private func makeModel(latency: Double = 0.2, failing failure: String = "") -> SearchViewModel {
        SearchViewModel(provider: makeProvider(latency: latency, failing: failure), scheduler: time)
    }

    /// - Parameters:
    ///   - latency: the time between a request and its response, in seconds.
    ///   - failure: the text whose search fails.
    private func makeProvider(
        latency: Double = 0.2, failing failure: String = ""
    ) -> MoyaProvider<SearchRepositories> {
        MoyaProvider(
            baseURL: URL(string: "https://api.example"),
            endpointClosure: { target in
                Endpoint(
                    url: target.path,
                    sampleResponseClosure: {
                        target.q == failure
                            ? .networkError(URLError(.notConnectedToInternet))
                            : .networkResponse(200, target.sampleData)
                    })
            },
            stubClosure: MoyaProvider.delayedStub(latency), plugins: [log], scheduler: time, decoding: .gitHub)
    }
}

extension SearchViewModel.State {
    fileprivate var symbol: String {
        switch self {
        case .idle: "i"
        case .searching: "s"
        case .found: "f"
        case .failed: "x"
        }
    }
}

/// Records when requests are sent, received and cancelled.
private final class RequestLog: PluginType {
    private let lines = Mutex<[String]>([])

    var entries: [String] { lines.withLock(\.self) }

    func willSend(_ request: RequestType, target: any RelativeTarget) {
        add("sends", target)
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        if case .failure(let error) = result, error.kind == .cancelled {
            add("cancels", target)
        } else {
            add("receives", target)
        }
    }

    private func add(_ event: String, _ target: any RelativeTarget) {
        let query = (target as? SearchRepositories)?.q ?? "?"
        lines.withLock { $0.append("\(event) \(query)") }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
