import Moya

/// What a lifetime leaves to be released at its end: its clean-ups, and the estates of the lifetimes in it.
///
/// It is a thing of its own so that a lifetime can keep the estates of those in it without keeping them: a source that is
/// dropped without an end takes its lifetime, and what stands downstream of it, along, while its clean-ups still wait for
/// a cancel.
final class Estate: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    struct CleanUp: Sendable {
        let run: @Sendable () -> Void
    }

    private struct Holdings: Sendable {
        weak var owner: Lifetime?
        var abandoned: CleanUp?
        /// Most have one clean-up, and no array for it.
        var cleanUp: CleanUp?
        var further: [CleanUp] = []
        var children: [ObjectIdentifier: Estate] = [:]
        var isSettled = false
    }

    private let holdings: Guarded<Holdings>

    /// - Parameters:
    ///   - owner: the lifetime that ends when the one around it does; nil if there is none around it, because what is
    ///     weakly referenced is slower to retain.
    ///   - abandoned: what runs instead of the owner's terminal when nobody hears that.
    init(of owner: Lifetime?, abandoned: CleanUp?) {
        holdings = Guarded(Holdings(owner: owner, abandoned: abandoned))
    }

    private var isSettled: Bool { holdings.withLock { $0.isSettled } }

    /// Says whether it was in time.
    func add(_ cleanUp: CleanUp) -> Bool {
        holdings.withLock { holdings in
            if holdings.isSettled { return false }
            if holdings.cleanUp == nil { holdings.cleanUp = cleanUp } else { holdings.further.append(cleanUp) }
            return true
        }
    }

    /// Says whether it was in time.
    func add(_ child: Estate) -> Bool {
        let isInTime = holdings.withLock { holdings in
            if !holdings.isSettled { holdings.children[ObjectIdentifier(child)] = child }
            return !holdings.isSettled
        }
        // It may have come to its end before it was here.
        if isInTime, child.isSettled { remove(child) }
        return isInTime
    }

    func remove(_ child: Estate) {
        _ = holdings.withLock { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// Releases everything, once, and gives what is to run if the terminal is not heard.
    func settle() -> CleanUp? {
        let left = holdings.withLock { exchange(&$0, with: Holdings(isSettled: true)) }
        for child in left.children.values { child.expire() }
        left.cleanUp?.run()
        for cleanUp in left.further { cleanUp.run() }
        return left.abandoned
    }

    /// The lifetime around it has ended: so has its owner, if there still is one.
    func expire() {
        holdings.withLock { $0.owner }?.cancel()
        settle()?.run()
    }
}
