import Foundation
import MoyaStreams
import Observation

/// The model of a search field and its results.
@MainActor
@Observable
final class SearchViewModel {
    enum State: Sendable, Hashable {
        case idle
        case searching
        case found([Repository])
        case failed(String)
    }

    /// The text of the search field.
    var text = "" {
        didSet { texts.send(text) }
    }

    private(set) var state = State.idle

    private let texts: Emitter<String>
    /// Cancels the search when the model is released.
    private let subscriptions = SubscriptionBag()

    /// - Parameters:
    ///   - provider: sends the requests.
    ///   - scheduler: measures the pauses and changes the state; its work must run on the main actor.
    init(provider: MoyaProvider<SearchRepositories> = .gitHub, scheduler: any Scheduler = .main) {
        let (signal, texts) = Signal<String>.pipe()
        self.texts = texts
        Self.states(for: signal, provider: provider, scheduler: scheduler)
            .subscribe(onMain: { [weak self] state in self?.state = state }, scheduler: scheduler)
            .store(in: subscriptions)
    }

    /// The states that follow from the texts.
    ///
    /// A search begins when the text has not changed for 300 milliseconds. It ends the previous one, whose request is
    /// cancelled.
    nonisolated static func states(
        for texts: some Subscribable<String>, provider: MoyaProvider<SearchRepositories>, scheduler: any Scheduler
    ) -> Observable<State> {
        texts
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .debounce(for: .milliseconds(300), on: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { query in
                guard !query.isEmpty else { return .just(.idle) }
                return provider.requestValue(SearchRepositories(q: query))
                    .map { .found($0) }
                    .catch { .just(.failed($0.localizedDescription)) }
                    .startWith(.searching)
            }
    }
}
