import MoyaScheduling

/// The closures that run when a lifetime ends, and the teardown lists of its child lifetimes.
///
/// A parent lifetime retains the teardown lists of its children, but not the children. If a child is released before it
/// ends, its teardowns run when the parent ends.
final class TeardownList: Sendable {
    /// A closure, stored in a struct because an optional of a bare closure is slower to access.
    struct Teardown: Sendable {
        let run: @Sendable () -> Void
    }

    private struct Contents: Sendable {
        /// The lifetime to cancel when its parent ends; `nil` if the lifetime was released or has no parent.
        weak var owner: Lifetime?
        /// Called if the owner ends without a call of its terminal handler, for example if it is cancelled.
        var onUnobservedEnd: Teardown?
        /// The first teardown, stored outside the array, because most lists have only one teardown.
        var teardown: Teardown?
        var further: [Teardown] = []
        var children: [ObjectIdentifier: TeardownList] = [:]
    }

    /// The teardowns and the lists of the children; `nil` after the teardowns have run.
    private let contents: Locked<Contents?>

    init(of owner: Lifetime?, onUnobservedEnd: Teardown?) {
        contents = Locked(Contents(owner: owner, onUnobservedEnd: onUnobservedEnd))
    }

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
        // Another thread may have ended the child before this method added it.
        if isAdded, child.contents.withLock({ $0 == nil }) { remove(child) }
        return isAdded
    }

    func remove(_ child: TeardownList) {
        _ = contents.withLock { $0?.children.removeValue(forKey: ObjectIdentifier(child)) }
    }

    /// Runs all teardowns, unless they have run before.
    ///
    /// - Returns: `onUnobservedEnd`, if any. The caller must run it if the owner's terminal handler is not called.
    func runAll() -> Teardown? {
        guard let ended = contents.withLock({ exchange(&$0, with: nil) }) else { return nil }
        for child in ended.children.values { child.cancelOwner() }
        ended.teardown?.run()
        for teardown in ended.further { teardown.run() }
        return ended.onUnobservedEnd
    }

    /// Cancels the owning lifetime, if it still exists, and runs all teardowns; called when the parent has ended.
    func cancelOwner() {
        contents.withLock { $0?.owner }?.cancel()
        runAll()?.run()
    }
}
