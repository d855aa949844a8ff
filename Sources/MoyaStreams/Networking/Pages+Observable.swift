public import Moya

extension Pages {
    /// Every page, each loaded when the one before has come, without waiting for a demand.
    ///
    /// ```text
    /// all:  ---1---2---(3|)
    /// ```
    /// Cold: each subscription begins with the first page. Cancelling the subscription cancels the request that runs.
    ///
    /// ```swift
    /// provider.pages(.repositories("ash"), next: .link).all.subscribeNext { print($0.value.count) }
    /// ```
    public var all: Observable<Element> {
        Observable.deferred { loading(start) }
            .expand { loaded in loaded.next.map(loading) ?? .empty() }
            .map(\.element)
            .named(hiding: 3)
    }

    /// The first page at once, and one more for each value of `more`.
    ///
    /// ```text
    /// more:                   -----m-----mm---
    /// observable(more: more): --1----2-----3--4|
    /// ```
    /// A value that comes while a page loads asks for the next page when that has come; at most one such value waits. Completes
    /// behind the last page, or when `more` has completed and nothing is left to load. Fails with the failure of a page or of
    /// `more`. Cold; cancelling the subscription cancels the request that runs.
    ///
    /// ```swift
    /// let (reachedEnd, emitter) = Signal<Void>.pipe()
    /// provider.pages(.repositories("ash"), next: .link).observable(more: reachedEnd).subscribeNext { show($0.value) }
    /// ```
    public func observable(more: some Subscribable<Void>) -> Observable<Element> {
        let more = more.observable
        return Observable { emitter in
            let driver = PageDriver(self, emitter)
            // Before the first page: its observer may ask for the next one at once.
            let subscription = more.subscribe(
                onNext: { driver.perform { $0.demand() } }, onError: { emitter.fail($0) },
                onCompleted: { driver.perform { $0.demandEnded() } })
            emitter.onTermination {
                subscription.cancel()
                driver.cancel()
            }
            driver.perform { $0.begin() }
        }
    }

    fileprivate func loading(_ position: Position) -> Observable<Loaded> {
        Observable { emitter in
            let call = load(position) { emitter.end(with: $0) }
            emitter.onTermination { call.cancel() }
        }
    }
}

/// Which page is loaded when: the state of `observable(more:)`.
struct PageDemand<Position: Sendable>: Sendable {
    enum Action {
        case wait
        case load(Position)
        case complete
    }

    /// The page to load next; `nil` behind the end, and while a page loads.
    private var next: Position?
    private var isLoading = false
    private var hasBegun = false
    /// A demand came before the beginning, or while a page was loading.
    private var isDemanded = false
    private var isDemandOver = false

    init(first: Position) {
        next = first
    }

    /// Loads the first page, whether demanded or not.
    mutating func begin() -> Action {
        hasBegun = true
        return loadNext()
    }

    mutating func demand() -> Action {
        isDemanded = true
        return nextAction()
    }

    mutating func demandEnded() -> Action {
        isDemandOver = true
        return nextAction()
    }

    mutating func loaded(next: Position?) -> Action {
        isLoading = false
        self.next = next
        return nextAction()
    }

    private mutating func nextAction() -> Action {
        if isLoading || !hasBegun { return .wait }
        if next == nil { return .complete }
        guard isDemanded else { return isDemandOver ? .complete : .wait }
        isDemanded = false
        return loadNext()
    }

    private mutating func loadNext() -> Action {
        guard let position = next.take() else { return .complete }
        isLoading = true
        return .load(position)
    }
}

/// Performs what ``PageDemand`` says.
private final class PageDriver<Page: Sendable>: Sendable {
    private struct State: Sendable {
        var demand: PageDemand<Pages<Page>.Position>
        var call: (any Cancellable)?
        var isCancelled = false
        /// A thread is in the loop of `load`.
        var isStarting = false
        /// What the loop loads next.
        var waiting: Pages<Page>.Position?
    }

    private let pages: Pages<Page>
    private let emitter: Emitter<Pages<Page>.Element>
    private let state: Locked<State>

    init(_ pages: Pages<Page>, _ emitter: Emitter<Pages<Page>.Element>) {
        self.pages = pages
        self.emitter = emitter
        state = Locked(State(demand: PageDemand(first: pages.start)))
    }

    func cancel() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call.take()
        }
        call?.cancel()
    }

    func perform(
        _ change: @Sendable (inout PageDemand<Pages<Page>.Position>) -> PageDemand<Pages<Page>.Position>.Action
    ) {
        let action = state.withLock { state in change(&state.demand) }
        switch action {
        case .wait: break
        case .complete: emitter.complete()
        case .load(let position): load(position)
        }
    }

    /// Loads a page, and those that are demanded before it returns: a loop, because pages may come at once, and the stack must
    /// not grow with them.
    private func load(_ first: Pages<Page>.Position) {
        let isFirst = state.withLock { state in
            if state.isStarting { state.waiting = first }
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isFirst else { return }
        var next: Pages<Page>.Position? = first
        while let position = next {
            let call = pages.load(position) { [self] result in received(result) }
            let isCancelled = state.withLock { state in
                state.call = call
                next = state.waiting.take()
                if next == nil { state.isStarting = false }
                return state.isCancelled
            }
            if isCancelled { return call.cancel() }
        }
    }

    private func received(_ result: Result<Pages<Page>.Loaded, MoyaError>) {
        switch result {
        case .success(let loaded):
            emitter.send(loaded.element)
            perform { $0.loaded(next: loaded.next) }
        case .failure(let error): emitter.fail(error)
        }
    }
}
