import MoyaScheduling
public import Synchronization

/// The lifetime of a subscription, or of an inner subscription of an operator: knows whether it is still observed, delivers the
/// terminal event, and runs the teardowns.
///
/// It ends once, by the first of `finish`, `fail` and `cancel`. Completion reaches the observer before the upstream is
/// released. A failure releases the upstream first, so that an operator that resubscribes never has two live upstreams (R4).
@usableFromInline
final class Lifetime: Sendable {
    private struct State: Sendable {
        var terminal: TerminalHandler?
        /// The first teardown of a root, which needs no list if it has no other.
        var teardown: TeardownList.Teardown?
        /// Created when there is more than that.
        var teardowns: TeardownList?
        /// Work that waits for the work that runs on the trampoline; `nil` while none runs.
        var trampolineQueue: [TeardownList.Teardown]?
    }

    private enum Phase {
        static let live: UInt8 = 0
        /// Live, unless an ancestor has ended; `parent` must be checked, too.
        static let inner: UInt8 = 1
        /// The upstream is being released before the error is delivered; a cancel still suppresses the error.
        static let failing: UInt8 = 2
        static let ended: UInt8 = 3
        static let cancelled: UInt8 = 4
    }

    @usableFromInline let phase: Atomic<UInt8>
    @usableFromInline let parent: Lifetime?
    @usableFromInline let trace: OperatorTrace
    private let state: Locked<State>

    /// Parameters are `consuming` to avoid retaining and releasing them.
    ///
    /// - Parameters:
    ///   - parent: the parent subscription, or `nil` for a root.
    ///   - trace: defaults to the parent's.
    ///   - onUnobservedEnd: called once if the lifetime ends without a call of `terminal`.
    ///   - terminal: called once, with the error or with `nil` for completion, unless the lifetime was cancelled before.
    @usableFromInline
    convenience init(
        in parent: consuming Lifetime? = nil, trace: OperatorTrace? = nil,
        onUnobservedEnd: (@Sendable () -> Void)? = nil,
        terminal: consuming @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.init(in: consume parent, trace: trace, .call(consume terminal))
        if let onUnobservedEnd { _ = teardowns(onUnobservedEnd: TeardownList.Teardown(run: onUnobservedEnd)) }
    }

    @usableFromInline
    init(in parent: consuming Lifetime? = nil, trace: OperatorTrace? = nil, _ terminal: consuming TerminalHandler) {
        phase = Atomic(parent == nil ? Phase.live : Phase.inner)
        self.trace = trace ?? parent?.trace ?? OperatorTrace()
        state = Locked(State(terminal: terminal))
        self.parent = parent
    }

    /// Whether this lifetime or an ancestor has ended.
    @inlinable var isOver: Bool { !isLiveRoot && !isInnerAndLive() }

    /// Whether it is live and has no parent, which takes one load.
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
        var left = State()
        guard end(as: Phase.ended, leaving: &left) else { return }
        let isObserved = !isParentOver
        if isObserved { left.terminal?.notify(nil, trace) }
        let onUnobservedEnd = runTeardowns(&left)
        if !isObserved { onUnobservedEnd?.run() }
    }

    @usableFromInline
    func fail(_ error: any Error) {
        var left = State()
        guard end(as: Phase.failing, leaving: &left) else { return }
        let onUnobservedEnd = runTeardowns(&left)
        let isObserved = commitFailure(for: Phase.ended) && !isParentOver
        if isObserved { left.terminal?.notify(error, trace) } else { onUnobservedEnd?.run() }
    }

    /// Fails with the error that a closure threw; compiles to nothing for a closure that cannot throw.
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
        var left = State()
        if end(as: Phase.cancelled, leaving: &left) {
            runTeardowns(&left)?.run()
        } else {
            _ = commitFailure(for: Phase.cancelled)
        }
    }

    /// Runs `teardown` once when the lifetime ends, however it does; immediately if it has ended.
    @usableFromInline
    func onEnd(_ teardown: @escaping @Sendable () -> Void) {
        let teardown = TeardownList.Teardown(run: teardown)
        if parent == nil {
            let isKept = state.withLock { state in
                guard state.teardown == nil, isLive else { return false }
                state.teardown = teardown
                return true
            }
            if isKept { return }
        }
        guard let teardowns = teardowns(), teardowns.add(teardown) else { return teardown.run() }
    }

    /// Returns the list of teardowns, creating it and adding it to the parent's when it is needed first; `nil` after the end.
    private func teardowns(onUnobservedEnd: TeardownList.Teardown? = nil) -> TeardownList? {
        let (teardowns, isNew) = state.withLock { state -> (TeardownList?, Bool) in
            guard isLive else { return (nil, false) }
            if let teardowns = state.teardowns { return (teardowns, false) }
            let teardowns = TeardownList(of: parent == nil ? nil : self, onUnobservedEnd: onUnobservedEnd)
            state.teardowns = teardowns
            return (teardowns, true)
        }
        if isNew, let teardowns, let parent {
            let isInTime = parent.teardowns()?.add(teardowns) ?? false
            if !isInTime { teardowns.cancelOwner() }
        }
        return teardowns
    }

    /// Runs `work` now, or after the work that runs on this trampoline already, so that the stack does not grow (R16).
    ///
    /// After the end nothing runs.
    func trampoline(_ work: @escaping @Sendable () -> Void) {
        let work = TeardownList.Teardown(run: work)
        let isFirst = state.withLock { state in
            guard isLive else { return false }
            guard state.trampolineQueue == nil else {
                state.trampolineQueue?.append(work)
                return false
            }
            state.trampolineQueue = []
            return true
        }
        guard isFirst else { return }
        var due = [work]
        while !due.isEmpty {
            for work in due where !isOver { work.run() }
            due = state.withLock { state in
                defer { state.trampolineQueue = (state.trampolineQueue ?? []).isEmpty ? nil : [] }
                return state.trampolineQueue ?? []
            }
        }
    }

    private func commitFailure(for end: UInt8) -> Bool {
        phase.compareExchange(expected: Phase.failing, desired: end, ordering: .acquiringAndReleasing).exchanged
    }

    /// Ends the lifetime; false if it has ended already.
    ///
    /// The caller releases the former state outside the lock. It is swapped, because a copy would retain its members.
    private func end(as end: UInt8, leaving left: inout State) -> Bool {
        let isFirst = state.withLock { state in
            guard isLive else { return false }
            phase.store(end, ordering: .releasing)
            swap(&state, &left)
            return true
        }
        if let teardowns = left.teardowns { parent?.forget(teardowns) }
        return isFirst
    }

    /// Runs the teardowns; removes the list from the parent again, because it may have been added meanwhile.
    private func runTeardowns(_ left: inout State) -> TeardownList.Teardown? {
        exchange(&left.teardown, with: nil)?.run()
        guard let teardowns = left.teardowns else { return nil }
        defer { parent?.forget(teardowns) }
        return teardowns.runAll()
    }

    private func forget(_ child: TeardownList) {
        state.withLock { $0.teardowns }?.remove(child)
    }
}
