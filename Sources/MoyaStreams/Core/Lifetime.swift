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
    private struct Belongings: Sendable {
        var terminal: Terminal?
        /// The first clean-up of a root: most have no other, and need no estate.
        var cleanUp: Estate.CleanUp?
        /// Made when there is more to release.
        var estate: Estate?
        /// What is to be done in turn; nil while nothing is.
        var agenda: [Estate.CleanUp]?
    }

    private enum Phase {
        static let live: UInt8 = 0
        /// Live, as far as it is its own affair: whether the parent is must be asked.
        static let inner: UInt8 = 1
        /// Upstream is being released, before the error goes down: a cancel can still hold it back.
        static let failing: UInt8 = 2
        static let ended: UInt8 = 3
        static let cancelled: UInt8 = 4
    }

    @usableFromInline let phase: Atomic<UInt8>
    @usableFromInline let parent: Lifetime?
    @usableFromInline let trail: Trail
    private let belongings: Guarded<Belongings>

    /// What it keeps is `consuming`, which spares retaining and releasing it on the way.
    ///
    /// - Parameters:
    ///   - parent: the lifetime without which this one has no sense, if any.
    ///   - trail: the parent's if nil.
    ///   - abandoned: called once when it ends without the terminal being heard.
    ///   - terminal: called once, with the error or with nil for completion, unless cancelled before.
    @usableFromInline
    convenience init(
        in parent: consuming Lifetime? = nil, trail: Trail? = nil, abandoned: (@Sendable () -> Void)? = nil,
        terminal: consuming @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.init(in: consume parent, trail: trail, .call(consume terminal))
        if let abandoned { _ = estate(abandoned: Estate.CleanUp(run: abandoned)) }
    }

    @usableFromInline
    init(in parent: consuming Lifetime? = nil, trail: Trail? = nil, _ terminal: consuming Terminal) {
        phase = Atomic(parent == nil ? Phase.live : Phase.inner)
        self.trail = trail ?? parent?.trail ?? Trail()
        belongings = Guarded(Belongings(terminal: terminal))
        self.parent = parent
    }

    /// Whether nobody listens any more: this one or one that it belongs to has ended.
    @inlinable var isOver: Bool { !isLiveRoot && !isInnerAndLive() }

    /// Whether it is live and has no parent: then one load tells all.
    @inlinable var isLiveRoot: Bool { phase.load(ordering: .relaxed) == 0 }

    /// Kept out of line: inlined, the walk retains the parent for every element.
    @usableFromInline
    @inline(never)
    func isInnerAndLive() -> Bool { isLive && !isParentOver }

    private var isLive: Bool { phase.load(ordering: .relaxed) < Phase.failing }
    private var isParentOver: Bool { parent?.isOver ?? false }

    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == Phase.cancelled }

    @usableFromInline
    func finish() {
        var left = Belongings()
        guard end(as: Phase.ended, leaving: &left) else { return }
        let isHeard = !isParentOver
        if isHeard { left.terminal?.tell(nil, trail) }
        let abandoned = settle(&left)
        if !isHeard { abandoned?.run() }
    }

    @usableFromInline
    func fail(_ error: any Error) {
        var left = Belongings()
        guard end(as: Phase.failing, leaving: &left) else { return }
        let abandoned = settle(&left)
        let isHeard = leaveFailing(for: Phase.ended) && !isParentOver
        if isHeard { left.terminal?.tell(error, trail) } else { abandoned?.run() }
    }

    /// Fails with what a closure threw; where it cannot throw, nothing of this is compiled, nor kept for it.
    @inlinable
    @inline(__always)
    func fail<Failure: Error>(thrown error: Failure) {
        if Failure.self != Never.self { fail(error) }
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        if let error { fail(error) } else { finish() }
    }

    @usableFromInline
    func cancel() {
        var left = Belongings()
        if end(as: Phase.cancelled, leaving: &left) {
            settle(&left)?.run()
        } else {
            _ = leaveFailing(for: Phase.cancelled)
        }
    }

    /// Runs `cleanUp` once at the end, whichever it is; at once if that was before.
    @usableFromInline
    func onEnd(_ cleanUp: @escaping @Sendable () -> Void) {
        let cleanUp = Estate.CleanUp(run: cleanUp)
        if parent == nil {
            let isKept = belongings.withLock { belongings in
                guard belongings.cleanUp == nil, isLive else { return false }
                belongings.cleanUp = cleanUp
                return true
            }
            if isKept { return }
        }
        guard let estate = estate(), estate.add(cleanUp) else { return cleanUp.run() }
    }

    /// The estate, and through it the connection with the lifetime around: lifetimes that leave nothing do without.
    ///
    /// Nil after the end, which then runs what is `abandoned`.
    private func estate(abandoned: Estate.CleanUp? = nil) -> Estate? {
        let (estate, isNew) = belongings.withLock { belongings -> (Estate?, Bool) in
            guard isLive else { return (nil, false) }
            if let estate = belongings.estate { return (estate, false) }
            let estate = Estate(of: parent == nil ? nil : self, abandoned: abandoned)
            belongings.estate = estate
            return (estate, true)
        }
        if isNew, let estate, let parent {
            let isInTime = parent.estate()?.add(estate) ?? false
            if !isInTime { estate.expire() }
        }
        return estate
    }

    /// Runs `work` now, or, from inside such work, after it: what follows what, again and again, in place of calls in calls
    /// does not grow the stack (R16).
    ///
    /// After the end nothing runs.
    func inTurn(_ work: @escaping @Sendable () -> Void) {
        let work = Estate.CleanUp(run: work)
        let isFirst = belongings.withLock { belongings in
            guard isLive else { return false }
            guard belongings.agenda == nil else {
                belongings.agenda?.append(work)
                return false
            }
            belongings.agenda = []
            return true
        }
        guard isFirst else { return }
        var due = [work]
        while !due.isEmpty {
            for work in due where !isOver { work.run() }
            due = belongings.withLock { belongings in
                defer { belongings.agenda = (belongings.agenda ?? []).isEmpty ? nil : [] }
                return belongings.agenda ?? []
            }
        }
    }

    private func leaveFailing(for end: UInt8) -> Bool {
        phase.compareExchange(expected: Phase.failing, desired: end, ordering: .acquiringAndReleasing).exchanged
    }

    /// Makes the end, if nobody did so before.
    ///
    /// What is left is released by the caller, outside the lock; it is swapped, because a copy retains all that it holds.
    private func end(as end: UInt8, leaving left: inout Belongings) -> Bool {
        let isFirst = belongings.withLock { belongings in
            guard isLive else { return false }
            phase.store(end, ordering: .releasing)
            swap(&belongings, &left)
            return true
        }
        if let estate = left.estate { parent?.forget(estate) }
        return isFirst
    }

    /// Releases what is left; the parent forgets it once more, because it may have come there only now.
    private func settle(_ left: inout Belongings) -> Estate.CleanUp? {
        exchange(&left.cleanUp, with: nil)?.run()
        guard let estate = left.estate else { return nil }
        defer { parent?.forget(estate) }
        return estate.settle()
    }

    private func forget(_ child: Estate) {
        belongings.withLock { $0.estate }?.remove(child)
    }
}
