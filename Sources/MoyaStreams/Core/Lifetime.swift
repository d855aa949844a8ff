public import Synchronization

// The lifetime of a subscription, or of one stage of it. The first `finish`, `fail` or `cancel` ends it and runs the
// teardowns, which release the upstream: after a completion is delivered, but before an error is, so that an operator
// that resubscribes never has two live upstreams (R4).
//
// The observers of a stage retain its lifetime, which retains its parent. The parent ends its stages, but must not
// retain what their observers keep alive: it retains only the `core` of a stage, which has no reference up.
@usableFromInline
final class Lifetime: Sendable {
    @usableFromInline
    enum Phase: UInt8 {
        case live
        /// A stage that has not ended by itself; its parent may have ended, which ends its core only.
        case stage
        /// The teardowns of a failure are running; the error is delivered afterwards.
        case failing
        case ended, cancelled
    }

    private struct State: Sendable, StepQueue {
        var terminal: TerminalHandler?
        /// Called instead of `terminal` after a cancel, or if an ancestor has ended.
        var onUnobservedEnd: Work?
        /// In the order in which they were added, as a bag promises; with the stage that a teardown ends, if any.
        var teardowns = Queue<(work: Work, core: Lifetime?)>()
        /// The number of teardowns at which those of stages that have ended are removed.
        var maximumTeardowns = 8
        var isAttached = false
        /// Has rarely more than one element.
        var trampoline: [Work] = []
        var isRunningSteps = false

        mutating func nextStep() -> Work? { trampoline.isEmpty ? nil : trampoline.removeFirst() }

        mutating func tearDown() {
            while let teardown = teardowns.popFirst() { teardown.work.run() }
        }
    }

    @usableFromInline let phase: Atomic<UInt8>
    @usableFromInline let parent: Lifetime?
    /// The part of a stage that its parent retains; `nil` without a parent.
    private let stageCore: Lifetime?
    private let state: Locked<State>

    /// Creates the lifetime of a stage, or of a subscription if `parent` is `nil`.
    @usableFromInline
    init(in parent: Lifetime? = nil, _ terminal: TerminalHandler, onUnobservedEnd: (@Sendable () -> Void)? = nil) {
        self.parent = parent
        guard parent != nil else {
            phase = Atomic(Phase.live.rawValue)
            stageCore = nil
            state = Locked(State(terminal: terminal, onUnobservedEnd: onUnobservedEnd.map { Work($0) }))
            return
        }
        phase = Atomic(Phase.stage.rawValue)
        stageCore = Lifetime(terminal, onUnobservedEnd: onUnobservedEnd)
        state = Locked(State())
        if onUnobservedEnd != nil { _ = attach() }
    }

    @usableFromInline
    convenience init(in parent: Lifetime? = nil, terminal: @escaping @Sendable ((any Error)?) -> Void) {
        self.init(in: parent, .call(terminal))
    }

    /// No event can follow: the source has released the last observer.
    deinit {
        if let stageCore {
            // The handler may retain the parent, which retains the core.
            _ = stageCore.state.withLock { $0.terminal.take() }
        } else if isLive, case .callWhenReleased(let call)? = state.withLock({ $0.terminal }) {
            cancel()
            call(nil)
        }
    }

    /// Whether this lifetime or an ancestor has ended.
    @inlinable var isOver: Bool { !isLiveRoot && !isLiveStage() }

    @inlinable var isLiveRoot: Bool { phase.load(ordering: .relaxed) == Phase.live.rawValue }

    // Not inlined: an inlined loop over the ancestors would retain each ancestor for every value.
    @usableFromInline
    @inline(never)
    func isLiveStage() -> Bool { isLive && parent?.isOver != true }

    private var core: Lifetime { stageCore ?? self }
    private var isLive: Bool { phase.load(ordering: .relaxed) < Phase.failing.rawValue }

    @usableFromInline var isCancelled: Bool {
        core.phase.load(ordering: .acquiring) == Phase.cancelled.rawValue
    }

    @usableFromInline
    func finish() { end(nil) }

    @usableFromInline
    func fail(_ error: any Error) { end(error) }

    /// Fails with the error that a closure threw; compiles to nothing for a closure that cannot throw.
    @inlinable
    @inline(__always)
    func fail<Failure: Error>(thrown error: Failure) {
        if Failure.self != Never.self { fail(error) }
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        guard var left = end(as: error == nil ? .ended : .failing) else { return }
        if error != nil { left.tearDown() }
        let isObserved = (error == nil || commitFailure(as: .ended)) && parent?.isOver != true
        if isObserved { left.terminal?.notify(error) }
        left.tearDown()
        if !isObserved { left.onUnobservedEnd?.run() }
    }

    @usableFromInline
    func cancel() {
        guard var left = end(as: .cancelled) else { return _ = commitFailure(as: .cancelled) }
        left.tearDown()
        left.onUnobservedEnd?.run()
    }

    /// Runs `teardown` once when this lifetime or an ancestor ends; immediately if that has happened.
    @usableFromInline
    func onEnd(_ teardown: @escaping @Sendable () -> Void) {
        if !add(Work(teardown)) { teardown() }
    }

    /// Runs `work` now or after the work running here, so that the stack doesn't grow; not if the lifetime has ended.
    func trampoline(_ work: @escaping @Sendable () -> Void) {
        let core = core
        core.state.runSteps(after: { if core.isLive { $0.trampoline.append(Work(work)) } }) {
            if !isOver { $0.run() }
        }
    }

    private func commitFailure(as end: Phase) -> Bool {
        core.phase.compareExchange(
            expected: Phase.failing.rawValue, desired: end.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }

    private func end(as end: Phase) -> State? {
        let core = core
        let left = core.state.withLock { state -> State? in
            guard core.isLive else { return nil }
            core.phase.store(end.rawValue, ordering: .releasing)
            return exchange(&state, with: State())
        }
        if left != nil, parent != nil { phase.store(end.rawValue, ordering: .releasing) }
        return left
    }

    private func changeIfLive(_ change: (inout State) -> Void) -> Bool {
        state.withLock { state in
            guard isLive else { return false }
            change(&state)
            return true
        }
    }

    /// Returns false if this lifetime or an ancestor has ended.
    private func add(_ teardown: Work, endOf stage: Lifetime? = nil) -> Bool {
        attach()
            && core.changeIfLive { state in
                if state.teardowns.count == state.maximumTeardowns {
                    state.teardowns = Queue(state.teardowns.elements.filter { $0.core?.isLive ?? true })
                    state.maximumTeardowns = max(state.teardowns.count * 2, 8)
                }
                state.teardowns.append((teardown, stage))
            }
    }

    /// Makes the parent end this lifetime; returns false if this lifetime or an ancestor has ended.
    private func attach() -> Bool {
        guard let parent else { return isLive }
        let core = core
        var isNew = false
        guard core.changeIfLive({ isNew = !exchange(&$0.isAttached, with: true) }) else { return false }
        if !isNew || parent.add(Work { core.cancel() }, endOf: core) { return true }
        core.cancel()
        return false
    }
}

@usableFromInline
enum TerminalHandler: Sendable {
    /// Calls a function with the error, or with `nil` for completion.
    case call(@Sendable ((any Error)?) -> Void)
    /// As `call`, but also with `nil` when the lifetime is released without an end, because no event can follow.
    case callWhenReleased(@Sendable ((any Error)?) -> Void)
    /// Ignores completion and reports a failure to ``UnhandledError``. Needs no allocation, unlike a closure.
    case report(fileID: String, line: UInt)

    func notify(_ error: (any Error)?) {
        switch self {
        case .call(let call), .callWhenReleased(let call): call(error)
        case .report(let fileID, let line):
            if let error { UnhandledError(error: error, fileID: fileID, line: line).report() }
        }
    }
}
