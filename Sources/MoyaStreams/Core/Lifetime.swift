import Moya
public import Synchronization

/// The life of one subscription, or of one inner subscription of an operator: it says whether somebody still listens,
/// carries the terminal event, and knows what to release at the end.
///
/// It ends once: by `finish`, by `fail` or by `cancel`, whoever comes first. Completion reaches the observer before
/// upstream is released; a failure releases upstream first, so that an operator that subscribes anew on failure never
/// has two live upstreams (R4).
@usableFromInline
final class Lifetime: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    private struct Terminal: Sendable {
        let run: @Sendable ((any Error)?) -> Void
    }

    private struct CleanUp: Sendable {
        let run: @Sendable () -> Void
    }

    private struct Belongings: Sendable {
        var terminal: Terminal?
        /// What runs instead of the terminal when nobody wants that.
        var abandoned: CleanUp?
        var cleanUps: [CleanUp] = []
        var children: [ObjectIdentifier: Lifetime] = [:]
        var isAttached = false
    }

    private enum Phase {
        static let live: UInt8 = 0
        /// Upstream is being released, before the error goes down: a cancel can still hold it back.
        static let failing: UInt8 = 1
        static let ended: UInt8 = 2
        static let cancelled: UInt8 = 3
    }

    @usableFromInline let phase = Atomic<UInt8>(Phase.live)
    @usableFromInline let parent: Lifetime?
    private let belongings: Guarded<Belongings>

    /// - Parameters:
    ///   - parent: the lifetime without which this one has no sense, if any.
    ///   - abandoned: called once when it ends without the terminal being heard.
    ///   - terminal: called once, with the error or with nil for completion, unless cancelled before.
    @usableFromInline
    init(
        in parent: Lifetime? = nil, abandoned: (@Sendable () -> Void)? = nil,
        terminal: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.parent = parent
        belongings = Guarded(
            Belongings(terminal: Terminal(run: terminal), abandoned: abandoned.map(CleanUp.init(run:))))
        if abandoned != nil { onEnd {} }
    }

    /// Whether nobody listens any more: this one or one that it belongs to has ended.
    @inlinable var isOver: Bool {
        if phase.load(ordering: .relaxed) != 0 { return true }
        guard parent != nil else { return false }
        return isParentOver()
    }

    /// Kept out of line: inlined, the walk retains the parent for every element.
    @usableFromInline
    @inline(never)
    func isParentOver() -> Bool {
        parent?.isOver ?? false
    }

    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == Phase.cancelled }

    @usableFromInline
    func finish() {
        guard let left = end(as: Phase.ended) else { return }
        conclude(left, nil)
        release(left)
    }

    @usableFromInline
    func fail(_ error: any Error) {
        guard let left = end(as: Phase.failing) else { return }
        release(left)
        if move(from: Phase.failing, to: Phase.ended) { conclude(left, error) } else { left.abandoned?.run() }
    }

    private func conclude(_ left: Belongings, _ error: (any Error)?) {
        if isParentOver() { left.abandoned?.run() } else { left.terminal?.run(error) }
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        if let error { fail(error) } else { finish() }
    }

    @usableFromInline
    func cancel() {
        if let left = end(as: Phase.cancelled) {
            release(left)
            left.abandoned?.run()
        } else {
            _ = move(from: Phase.failing, to: Phase.cancelled)
        }
    }

    private func move(from phase: UInt8, to next: UInt8) -> Bool {
        self.phase.compareExchange(expected: phase, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Runs `cleanUp` once at the end, whichever it is; at once if that was before.
    @usableFromInline
    func onEnd(_ cleanUp: @escaping @Sendable () -> Void) {
        let (isTooLate, attaches) = belongings.withLock { belongings in
            guard isLive else { return (true, false) }
            belongings.cleanUps.append(CleanUp(run: cleanUp))
            defer { belongings.isAttached = true }
            return (false, parent != nil && !belongings.isAttached)
        }
        if isTooLate { cleanUp() }
        if attaches { parent?.adopt(self) }
    }

    private var isLive: Bool { phase.load(ordering: .relaxed) == Phase.live }

    /// Children that have nothing to release are not worth keeping: they attach with their first clean-up.
    private func adopt(_ child: Lifetime) {
        let (isTooLate, attaches) = belongings.withLock { belongings in
            guard isLive else { return (true, false) }
            belongings.children[ObjectIdentifier(child)] = child
            defer { belongings.isAttached = true }
            return (false, parent != nil && !belongings.isAttached)
        }
        if isTooLate { return child.cancel() }
        if !child.isLive { forget(child) }
        if attaches { parent?.adopt(self) }
    }

    private func forget(_ child: Lifetime) {
        _ = belongings.withLock { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// The end, for the one caller who makes it.
    ///
    /// What is left is released by that caller, outside the lock.
    private func end(as end: UInt8) -> Belongings? {
        guard move(from: Phase.live, to: end) else { return nil }
        let left = belongings.withLock { belongings in
            defer { belongings = Belongings() }
            return belongings
        }
        if left.isAttached { parent?.forget(self) }
        return left
    }

    private func release(_ left: Belongings) {
        for child in left.children.values { child.cancel() }
        for cleanUp in left.cleanUps { cleanUp.run() }
    }
}
