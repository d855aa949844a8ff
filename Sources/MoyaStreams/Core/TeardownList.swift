import MoyaScheduling

/// The teardowns of a lifetime, and the lists of its child lifetimes.
///
/// A separate object, so that a parent retains the teardowns of its children without retaining the children: a source
/// that is dropped without a terminal event releases its lifetime and the downstream observers, while its teardowns
/// stay registered until a cancel.
final class TeardownList: Sendable {
    /// A closure in a struct: a bare closure gains a thunk each time it is moved into or out of an optional.
    struct Teardown: Sendable {
        let run: @Sendable () -> Void
    }

    private struct Contents: Sendable {
        weak var owner: Lifetime?
        var onUnobservedEnd: Teardown?
        /// The first teardown, outside the array, because most lists have only one.
        var teardown: Teardown?
        var further: [Teardown] = []
        var children: [ObjectIdentifier: TeardownList] = [:]
    }

    /// `nil` after the teardowns have run.
    private let contents: Locked<Contents?>

    /// Creates a list without teardowns.
    ///
    /// - Parameters:
    ///   - owner: the lifetime to cancel when its parent ends; `nil` without a parent, because an object with weak
    ///     references is slower to retain.
    ///   - onUnobservedEnd: runs in place of the owner's terminal handler if that is not called.
    init(of owner: Lifetime?, onUnobservedEnd: Teardown?) {
        contents = Locked(Contents(owner: owner, onUnobservedEnd: onUnobservedEnd))
    }

    private var hasRun: Bool { contents.withLock { $0 == nil } }

    /// Adds a teardown; returns false if the teardowns have run.
    func add(_ teardown: Teardown) -> Bool {
        contents.withLock { contents in
            if contents == nil { return false }
            if contents?.teardown == nil { contents?.teardown = teardown } else { contents?.further.append(teardown) }
            return true
        }
    }

    /// Adds the list of a child; returns false if the teardowns of this list have run.
    func add(_ child: TeardownList) -> Bool {
        let isAdded = contents.withLock { contents in
            contents?.children[ObjectIdentifier(child)] = child
            return contents != nil
        }
        // The child may have ended before it was added.
        if isAdded, child.hasRun { remove(child) }
        return isAdded
    }

    func remove(_ child: TeardownList) {
        _ = contents.withLock { $0?.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// Runs all teardowns, once; returns the closure to run if the terminal handler is not called.
    func runAll() -> Teardown? {
        guard let ended = contents.withLock({ exchange(&$0, with: nil) }) else { return nil }
        for child in ended.children.values { child.cancelOwner() }
        ended.teardown?.run()
        for teardown in ended.further { teardown.run() }
        return ended.onUnobservedEnd
    }

    /// Cancels the owner, if it still exists, and runs all teardowns; called when the parent has ended.
    func cancelOwner() {
        contents.withLock { $0?.owner }?.cancel()
        runAll()?.run()
    }
}
