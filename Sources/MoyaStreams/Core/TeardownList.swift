import MoyaScheduling

/// The teardowns of a lifetime, and the lists of its child lifetimes.
///
/// It is a separate object, so that a parent lifetime retains the teardowns of its children without retaining the
/// children. If a source releases its observer without completing or failing, the lifetime of that observer is
/// released, too, and so are the downstream observers. The teardowns stay registered until the parent ends.
final class TeardownList: Sendable {
    /// A struct around the closure: the compiler wraps a bare closure in a thunk each time it is moved into or out of
    /// an optional.
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
    ///   - owner: the lifetime that is cancelled when its parent ends, referenced weakly. `nil` for a lifetime without a
    ///     parent: nothing would cancel it through the list, and a weak reference makes each retain of it slower.
    ///   - onUnobservedEnd: run if the owner ends without a call of its terminal handler.
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

    /// Runs all teardowns, unless they have run before.
    ///
    /// - Returns: the closure that the caller must run if the terminal handler is not called; `nil` if there is none.
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
