final class PageLoader<Page: Sendable> {
    private typealias Loading = Task<Result<Pages<Page>.LoadedPage, MoyaError>?, Never>

    private let load: Pages<Page>.Load
    private let pagesAhead: Int
    /// The position of the page to load next; `nil` after the last page, or if a task loads that page ahead.
    private var position: Pages<Page>.Position?
    /// The tasks that load ahead, in order; `nil` if the page doesn't exist or the previous one failed.
    private var ahead = Queue<Loading>()

    init(load: @escaping Pages<Page>.Load, start: Pages<Page>.Position, pagesAhead: Int) {
        self.load = load
        self.pagesAhead = pagesAhead
        position = start
    }

    deinit {
        stop()
    }

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
        if let loading = ahead.popFirst() {
            return await withTaskCancellationHandler {
                await loading.value
            } onCancel: {
                loading.cancel()
            }
        }
        guard let position = position.take() else { return nil }
        return await Self.loaded(position, load)
    }

    // Loads ahead, or only stores the next position if `pagesAhead` is 0. Each task waits for the previous one, whose
    // page determines the next position.
    private func advance(past loaded: Pages<Page>.LoadedPage) {
        guard pagesAhead > 0, let next = loaded.next else { return position = loaded.next }
        while ahead.count < pagesAhead {
            let previous = ahead.last
            let loading = Loading(executorPreference: CurrentVirtualClock.current) { @Sendable [load] in
                guard let previous else { return await Self.loaded(next, load) }
                guard case .success(let loaded) = await previous.value, let next = loaded.next else { return nil }
                return await Self.loaded(next, load)
            }
            ahead.append(loading)
        }
    }

    private func stop() {
        for loading in ahead.elements { loading.cancel() }
        ahead = Queue()
        position = nil
    }

    @concurrent
    private static func loaded(
        _ position: Pages<Page>.Position, _ load: @escaping Pages<Page>.Load
    ) async -> Result<Pages<Page>.LoadedPage, MoyaError> {
        await awaitingResult { result in load(position, true) { result.set($0) } }
    }
}
