public import Moya

extension Pages {
    /// A stream of all pages: each page is loaded as soon as the previous page has arrived, without waiting for demand.
    ///
    /// ```text
    /// all:  ---1---2---(3|)
    /// ```
    /// Each subscription begins with the first page. Cancelling the subscription cancels the running request.
    ///
    /// ```swift
    /// provider.pages(.repositories("ash"), next: .link).all.subscribeNext { print($0.value.count) }
    /// ```
    public var all: Observable<Element> {
        Observable.deferred { loading(start) }
            .expand { loaded in loaded.next.map(loading) ?? .empty() }
            .map(\.element)
    }

    /// Returns a stream of the first page, and of one more page for each value of `more`.
    ///
    /// ```text
    /// more:                   -----m-----mm---
    /// observable(more: more): --1----2-----3-(4|)
    /// ```
    /// The first page is loaded immediately. Together, the values of `more` that arrive while a page loads request
    /// one page. Completes after the last page. Also completes when `more` has completed and all requested pages
    /// were sent. Fails if a page cannot be loaded or if `more` fails. Each subscription begins with the first page.
    /// Cancelling the subscription cancels the running request.
    ///
    /// ```swift
    /// let (reachedEnd, emitter) = Signal<Void>.pipe()
    /// provider.pages(.repositories("ash"), next: .link).observable(more: reachedEnd).subscribeNext { show($0.value) }
    /// ```
    public func observable(more: some Subscribable<Void>) -> Observable<Element> {
        let more = more.observable
        return Observable { emitter in
            let loader = ObservablePageLoader(self, emitter)
            // Subscribes before the first page loads: an observer of that page may immediately send a value to `more`.
            let subscription = more.subscribe(
                onNext: { loader.perform { $0.demand() } }, onError: { emitter.fail($0) },
                onCompleted: { loader.perform { $0.demandEnded() } })
            emitter.onTermination {
                subscription.cancel()
                loader.cancel()
            }
            loader.perform { $0.begin() }
        }
    }

    fileprivate func loading(_ position: Position) -> Observable<LoadedPage> {
        Observable { emitter in
            let call = load(position) { emitter.end(with: $0) }
            emitter.onTermination { call.cancel() }
        }
    }
}

struct PageLoadingState<Position: Sendable>: Sendable {
    enum LoadingAction: Sendable {
        case wait
        case load(Position)
        case complete
    }

    /// The page to load next; `nil` after the last page, and while a page loads.
    private var next: Position?
    private var isLoading = false
    private var hasBegun = false
    /// Whether a page was requested before `begin()` or while a page was loading.
    private var isDemanded = false
    private var isDemandOver = false

    init(first: Position) {
        next = first
    }

    mutating func begin() -> LoadingAction {
        hasBegun = true
        return loadNext()
    }

    mutating func demand() -> LoadingAction {
        isDemanded = true
        return nextAction()
    }

    mutating func demandEnded() -> LoadingAction {
        isDemandOver = true
        return nextAction()
    }

    mutating func loaded(next: Position?) -> LoadingAction {
        isLoading = false
        self.next = next
        return nextAction()
    }

    private mutating func nextAction() -> LoadingAction {
        if isLoading || !hasBegun { return .wait }
        if next == nil { return .complete }
        guard isDemanded else { return isDemandOver ? .complete : .wait }
        isDemanded = false
        return loadNext()
    }

    private mutating func loadNext() -> LoadingAction {
        guard let position = next.take() else { return .complete }
        isLoading = true
        return .load(position)
    }
}

private final class ObservablePageLoader<Page: Sendable>: Sendable {
    typealias LoadingState = PageLoadingState<Pages<Page>.Position>

    private struct State: StepQueue {
        var loading: LoadingState
        var actions = Queue<LoadingState.LoadingAction>()
        var call: (any Cancellable)?
        var isCancelled = false
        var isRunningSteps = false

        mutating func nextStep() -> LoadingState.LoadingAction? { isCancelled ? nil : actions.popFirst() }
    }

    private let pages: Pages<Page>
    private let emitter: Emitter<Pages<Page>.Element>
    private let state: Locked<State>

    init(_ pages: Pages<Page>, _ emitter: Emitter<Pages<Page>.Element>) {
        self.pages = pages
        self.emitter = emitter
        state = Locked(State(loading: PageLoadingState(first: pages.start)))
    }

    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call.take()
        }
        call?.cancel()
    }

    // Changes the state and performs the action that follows. `Pages.load` may call back, and so call this again,
    // before it returns; the stack doesn't grow.
    func perform(_ change: @Sendable (inout LoadingState) -> LoadingState.LoadingAction) {
        state.runSteps(after: { $0.actions.append(change(&$0.loading)) }) { action in
            switch action {
            case .wait: break
            case .complete: emitter.complete()
            case .load(let position): load(position)
            }
        }
    }

    private func load(_ position: Pages<Page>.Position) {
        let call = pages.load(position) { [self] result in received(result) }
        let (isCancelled, former) = state.withLock { state in
            (state.isCancelled, exchange(&state.call, with: call))
        }
        withExtendedLifetime(former) {}
        if isCancelled { call.cancel() }
    }

    private func received(_ result: Result<Pages<Page>.LoadedPage, MoyaError>) {
        switch result {
        case .success(let loaded):
            emitter.send(loaded.element)
            perform { $0.loaded(next: loaded.next) }
        case .failure(let error): emitter.fail(error)
        }
    }
}
