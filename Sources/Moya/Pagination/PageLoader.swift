final class PageLoader<Page: Sendable>: Sendable {
    private typealias Loading = Task<Result<Pages<Page>.LoadedPage, MoyaError>?, Never>

    private struct State: Sendable {
        /// The position of the page to load next; `nil` after the last page, or if a task loads that page ahead.
        var position: Pages<Page>.Position?
        /// The tasks that load ahead, in order; `nil` if the page doesn't exist or the previous one failed.
        var ahead = Queue<Loading>()
    }

    private let load: Pages<Page>.Load
    private let pagesAhead: Int
    private let state: Locked<State>

    init(load: @escaping Pages<Page>.Load, start: Pages<Page>.Position, pagesAhead: Int) {
        self.load = load
        self.pagesAhead = pagesAhead
        state = Locked(State(position: start))
    }

    deinit { stop() }

    func next() async throws(MoyaError) -> Pages<Page>.Element? {
        guard let result = await nextResult() else { return nil }
        do throws(MoyaError) {
            if Task.isCancelled { throw .cancelled }
            let loaded = try result.get()
            advance(past: loaded)
            return loaded.element
        } catch {
            stop()
            throw error
        }
    }

    private func nextResult() async -> Result<Pages<Page>.LoadedPage, MoyaError>? {
        if let loading = state.withLock({ $0.ahead.popFirst() }) {
            return await withTaskCancellationHandler {
                await loading.value
            } onCancel: {
                loading.cancel()
            }
        }
        guard let position = state.withLock({ $0.position.take() }) else { return nil }
        return await Self.loaded(position, load)
    }

    // Loads ahead, or only stores the next position if `pagesAhead` is 0. Each task waits for the previous one, whose
    // page determines the next position.
    private func advance(past loaded: Pages<Page>.LoadedPage) {
        guard pagesAhead > 0, let position = loaded.next else {
            return state.withLock { $0.position = loaded.next }
        }
        while state.withLock({ $0.ahead.count }) < pagesAhead {
            let previous = state.withLock { $0.ahead.last }
            let loading = Loading(executorPreference: CurrentVirtualClock.current) { [load] in
                guard let previous else { return await Self.loaded(position, load) }
                guard case .success(let loaded) = await previous.value, let next = loaded.next else { return nil }
                return await Self.loaded(next, load)
            }
            state.withLock { $0.ahead.append(loading) }
        }
    }

    private func stop() {
        let former = state.withLock { exchange(&$0, with: State()) }
        for loading in former.ahead.elements { loading.cancel() }
    }

    @concurrent
    private static func loaded(
        _ position: Pages<Page>.Position, _ load: @escaping Pages<Page>.Load
    ) async -> Result<Pages<Page>.LoadedPage, MoyaError> {
        await awaitingResult { result in load(position, true) { result.set($0) } }
    }
}
