import MoyaScheduling

/// The teardowns of a lifetime, and the lists of its child lifetimes.
///
/// A separate object, so that a parent retains the teardowns of its children without retaining the children: a source that is
/// dropped without a terminal event releases its lifetime and the downstream observers, while its teardowns stay registered
/// until a cancel.
final class TeardownList: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    struct Teardown: Sendable {
        let run: @Sendable () -> Void
    }

    private struct State: Sendable {
        weak var owner: Lifetime?
        var onUnobservedEnd: Teardown?
        /// Most lists have one teardown: it needs no array.
        var teardown: Teardown?
        var further: [Teardown] = []
        var children: [ObjectIdentifier: TeardownList] = [:]
        var hasRun = false
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - owner: the lifetime to cancel when its parent ends; `nil` without a parent, because an object with weak references
    ///     is slower to retain.
    ///   - onUnobservedEnd: runs in place of the owner's terminal handler if that is not called.
    init(of owner: Lifetime?, onUnobservedEnd: Teardown?) {
        state = Locked(State(owner: owner, onUnobservedEnd: onUnobservedEnd))
    }

    private var hasRun: Bool { state.withLock { $0.hasRun } }

    /// Adds a teardown; false if the list has run.
    func add(_ teardown: Teardown) -> Bool {
        state.withLock { state in
            if state.hasRun { return false }
            if state.teardown == nil { state.teardown = teardown } else { state.further.append(teardown) }
            return true
        }
    }

    /// Adds the list of a child; false if this list has run.
    func add(_ child: TeardownList) -> Bool {
        let isInTime = state.withLock { state in
            if !state.hasRun { state.children[ObjectIdentifier(child)] = child }
            return !state.hasRun
        }
        // The child may have ended before it was added.
        if isInTime, child.hasRun { remove(child) }
        return isInTime
    }

    func remove(_ child: TeardownList) {
        _ = state.withLock { $0.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// Runs all teardowns, once; returns what is to run if the terminal handler is not called.
    func runAll() -> Teardown? {
        let ended = state.withLock { exchange(&$0, with: State(hasRun: true)) }
        for child in ended.children.values { child.cancelOwner() }
        ended.teardown?.run()
        for teardown in ended.further { teardown.run() }
        return ended.onUnobservedEnd
    }

    /// Cancels the owner, if it is still alive, and runs all teardowns: the parent has ended.
    func cancelOwner() {
        state.withLock { $0.owner }?.cancel()
        runAll()?.run()
    }
}
