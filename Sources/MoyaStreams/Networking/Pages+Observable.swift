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
        Observable.deferred {
            let trace = TraceContext.current
            return loading(start).inTrace(trace).expand { $0.next.map { loading($0).inTrace(trace) } ?? .empty() }
        }.map(\.element)
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
        Observable(run: { [more = more.observable] downstream in
            typealias State = PageLoading<Page>
            let trace = TraceContext.current
            let coordinator = Coordinator<State, State.InputEvent, Element>(State(next: start), downstream) {
                state, event, observer, coordinator in
                switch event {
                case .begin: (state.isBusy, state.demands) = (false, state.demands + 1)
                case .demand: state.demands = 1
                case .demandEnded(let error?): return observer.lifetime.fail(error)
                case .demandEnded(nil): state.isDemandOver = true
                case .loaded(.failure(let error)): return observer.lifetime.fail(error)
                case .loaded(.success(let page)):
                    (state.isBusy, state.next) = (false, page.next)
                    observer.send(page.element)
                }
                if state.isBusy { return }
                guard state.next != nil, state.demands > 0 || !state.isDemandOver else {
                    return observer.lifetime.finish()
                }
                guard state.demands > 0, let position = state.next.take(), !observer.lifetime.isOver else { return }
                (state.isBusy, state.demands) = (true, state.demands - 1)
                let call = TraceContext.$current.withValue(trace) {
                    load(position, false) { coordinator.submit(.loaded($0)) }
                }
                state.call = Lifetime(.callWhenReleased { _ in call.cancel() })
            }
            // Subscribes before the first page loads: an observer of that page may immediately send a value to `more`.
            coordinator.subscribe(more, in: downstream.lifetime, next: { .demand }, end: { .demandEnded($0) })
            coordinator.submit(.begin)
        })
    }

    fileprivate func loading(_ position: Position) -> Observable<LoadedPage> {
        .withToken { emitter in load(position, false) { emitter.end(with: $0) } }
    }
}

private struct PageLoading<Page: Sendable>: Sendable {
    enum InputEvent: Sendable {
        case begin
        case demand
        case demandEnded((any Error)?)
        case loaded(Result<Pages<Page>.LoadedPage, MoyaError>)
    }

    /// The page to load next; `nil` after the last page, and while a page loads.
    var next: Pages<Page>.Position?
    /// Cancels the running request when it is released.
    var call: Lifetime?
    /// Whether a page loads, or loading has not begun.
    var isBusy = true
    /// The number of pages to load: the first page, and one for all values that arrive while `isBusy`.
    var demands = 0
    var isDemandOver = false
}
