import MoyaStreams
import Observation

@MainActor @Observable final class SearchModel {
    var text = "" { didSet { typed.send(text) } }
    private(set) var names: [String] = []

    private let typed: Emitter<String>
    private let subscriptions = SubscriptionBag()

    init(provider: MoyaProvider<GitHub>, on scheduler: any Scheduler = .main) {
        let (texts, emitter) = Signal<String>.pipe()
        typed = emitter
        texts.debounce(for: .milliseconds(300), on: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { text in
                provider.requestValue(.search(text)).map { $0.items.map(\.name) }.catchAndReturn([])
            }
            .subscribe(onMain: { [weak self] names in self?.names = names }, scheduler: scheduler)
            .store(in: subscriptions)
    }
}
