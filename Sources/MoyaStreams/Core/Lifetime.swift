import MoyaScheduling
public import Synchronization

/// The lifetime of one subscription to a stream.
///
/// The first call of `finish`, `fail` or `cancel` ends the lifetime and runs the teardowns, which release the upstream.
/// Completion is delivered before the teardowns run. An error is delivered after the teardowns, so that an operator
/// that resubscribes never has two live upstreams.
@usableFromInline
final class Lifetime: Sendable {
    private struct State: Sendable {
        var terminal: TerminalHandler?
        /// The first teardown of a lifetime without a parent, stored here because a single teardown needs no list.
        var teardown: TeardownList.Teardown?
        /// The teardowns except the one in `teardown`, and the lists of the child lifetimes; created when needed.
        var teardowns: TeardownList?
        /// The work that `trampoline(_:)` has queued; `nil` while `trampoline(_:)` runs no work.
        var trampolineQueue: [TeardownList.Teardown]?
    }

    /// The phase of a lifetime; at first `inner` if the lifetime has a parent, otherwise `live`.
    @usableFromInline
    enum Phase: UInt8 {
        case live
        /// This lifetime has not ended, but an ancestor may have ended: `parent` must be checked, too.
        case inner
        /// This lifetime has failed and is running its teardowns; its error is delivered afterwards.
        case failing
        case ended, cancelled
    }

    @usableFromInline let phase: Atomic<UInt8>
    @usableFromInline let parent: Lifetime?
    @usableFromInline let operatorNames: OperatorNames
    private let state: Locked<State>

    /// Creates a lifetime that has not ended.
    ///
    /// - Parameters:
    ///   - operatorNames: the names for error reports; defaults to those of `parent`.
    ///   - onUnobservedEnd: called once, instead of `terminal`, after a cancel, or if an ancestor has ended.
    ///   - terminal: called once at the end, with the error, or with `nil` for completion.
    @usableFromInline
    convenience init(
        in parent: consuming Lifetime? = nil, operatorNames: OperatorNames? = nil,
        onUnobservedEnd: (@Sendable () -> Void)? = nil,
        terminal: consuming @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.init(in: consume parent, operatorNames: operatorNames, .call(consume terminal))
        if let onUnobservedEnd { _ = teardowns(onUnobservedEnd: TeardownList.Teardown(run: onUnobservedEnd)) }
    }

    @usableFromInline
    init(
        in parent: consuming Lifetime? = nil, operatorNames: OperatorNames? = nil,
        _ terminal: consuming TerminalHandler
    ) {
        phase = Atomic((parent == nil ? Phase.live : .inner).rawValue)
        self.operatorNames = operatorNames ?? parent?.operatorNames ?? OperatorNames()
        state = Locked(State(terminal: terminal))
        self.parent = parent
    }

    /// Ends a subscription that a task waits for, as a cancel does, because no event can follow.
    deinit {
        guard isLive else { return }
        var left = State()
        state.withLock { swap(&$0, &left) }
        guard case .callWhenReleased(let call)? = left.terminal else { return }
        runTeardowns(&left)?.run()
        call(nil)
    }

    /// Whether this lifetime or an ancestor has ended.
    @inlinable var isOver: Bool { !isLiveRoot && !isInnerAndLive() }

    /// Whether this lifetime has no parent and has not ended; takes a single atomic load.
    @inlinable var isLiveRoot: Bool { phase.load(ordering: .relaxed) == Phase.live.rawValue }

    /// Whether neither this lifetime nor an ancestor has ended.
    ///
    /// Not inlined: an inlined loop over the ancestors would retain each ancestor for every value.
    @usableFromInline
    @inline(never)
    func isInnerAndLive() -> Bool { isLive && !isParentOver }

    private var isLive: Bool { phase.load(ordering: .relaxed) < Phase.failing.rawValue }
    private var isParentOver: Bool { parent?.isOver ?? false }

    @usableFromInline var isCancelled: Bool { phase.load(ordering: .acquiring) == Phase.cancelled.rawValue }

    @usableFromInline
    func finish() {
        var left = State()
        guard end(as: .ended, leaving: &left) else { return }
        let isObserved = !isParentOver
        if isObserved { left.terminal?.notify(nil, operatorNames) }
        let onUnobservedEnd = runTeardowns(&left)
        if !isObserved { onUnobservedEnd?.run() }
    }

    @usableFromInline
    func fail(_ error: any Error) {
        var left = State()
        guard end(as: .failing, leaving: &left) else { return }
        let onUnobservedEnd = runTeardowns(&left)
        let isObserved = commitFailure(as: .ended) && !isParentOver
        if isObserved { left.terminal?.notify(error, operatorNames) } else { onUnobservedEnd?.run() }
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
        if end(as: .cancelled, leaving: &left) {
            runTeardowns(&left)?.run()
        } else {
            _ = commitFailure(as: .cancelled)
        }
    }

    /// Runs `teardown` once when the lifetime finishes, fails or is cancelled; immediately if the lifetime has ended.
    @usableFromInline
    func onEnd(_ teardown: @escaping @Sendable () -> Void) {
        let teardown = TeardownList.Teardown(run: teardown)
        if parent == nil {
            let isStored = state.withLock { state in
                guard state.teardown == nil, isLive else { return false }
                state.teardown = teardown
                return true
            }
            if isStored { return }
        }
        guard let teardowns = teardowns(), teardowns.add(teardown) else { return teardown.run() }
    }

    /// Returns the list of teardowns, or `nil` if the lifetime has ended.
    ///
    /// The first call creates the list with `onUnobservedEnd`, and adds the list to that of `parent`.
    private func teardowns(onUnobservedEnd: TeardownList.Teardown? = nil) -> TeardownList? {
        let (teardowns, isNew) = state.withLock { state -> (TeardownList?, Bool) in
            guard isLive else { return (nil, false) }
            if let teardowns = state.teardowns { return (teardowns, false) }
            let teardowns = TeardownList(of: parent == nil ? nil : self, onUnobservedEnd: onUnobservedEnd)
            state.teardowns = teardowns
            return (teardowns, true)
        }
        if isNew, let teardowns, let parent {
            if parent.teardowns()?.add(teardowns) != true { teardowns.cancelOwner() }
        }
        return teardowns
    }

    /// Runs `work` immediately, or queues it if this method is already running other work.
    ///
    /// Nested calls therefore do not grow the stack. Does nothing if the lifetime has ended.
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

    private func commitFailure(as end: Phase) -> Bool {
        let (failing, end) = (Phase.failing.rawValue, end.rawValue)
        return phase.compareExchange(expected: failing, desired: end, ordering: .acquiringAndReleasing).exchanged
    }

    /// Ends the lifetime; returns false if the lifetime had already ended.
    ///
    /// Moves the former state into `left`, so that the caller releases the contents outside the lock.
    private func end(as end: Phase, leaving left: inout State) -> Bool {
        let isFirst = state.withLock { state in
            guard isLive else { return false }
            phase.store(end.rawValue, ordering: .releasing)
            swap(&state, &left)
            return true
        }
        if let teardowns = left.teardowns { parent?.remove(teardowns) }
        return isFirst
    }

    /// Runs the teardowns.
    ///
    /// - Returns: `onUnobservedEnd`, if any. The caller must run it if the terminal handler is not called.
    private func runTeardowns(_ left: inout State) -> TeardownList.Teardown? {
        exchange(&left.teardown, with: nil)?.run()
        guard let teardowns = left.teardowns else { return nil }
        // Removes the list again: another thread may have added it to the parent after `end(as:leaving:)` removed it.
        defer { parent?.remove(teardowns) }
        return teardowns.runAll()
    }

    private func remove(_ child: TeardownList) {
        state.withLock { $0.teardowns }?.remove(child)
    }
}
