/// The places of the last pages of one iteration.
///
/// They detect a server whose pages form a cycle.
final class PageHistory: Sendable {
    private struct State: Sendable {
        var known: Set<Int> = []
        var order = Queue<Int>()
    }

    private static let limit = 1000
    private let state = Locked(State())

    /// Adds a place; returns `false` if it is known already.
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
