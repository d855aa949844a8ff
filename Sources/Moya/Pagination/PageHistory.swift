/// The locators (URLs or tokens) of the last 1000 pages of an iteration, for detecting a cycle in the server's pages.
final class PageHistory: Sendable {
    private struct State: Sendable {
        var known: Set<Int> = []
        var order = Queue<Int>()
    }

    private static let limit = 1000
    private let state = Locked(State())

    /// Adds the locator of a page; returns `false` if the same locator is already stored.
    func insert(_ locator: PageCursor.Locator) -> Bool {
        let hash = locator.hashValue
        return state.withLock { state in
            guard state.known.insert(hash).inserted else { return false }
            state.order.append(hash)
            if state.known.count > Self.limit, let oldest = state.order.popFirst() { state.known.remove(oldest) }
            return true
        }
    }
}
