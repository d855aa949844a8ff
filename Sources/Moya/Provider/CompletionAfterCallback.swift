// Delays an outcome until a running callback has returned. Used under a lock, so the methods call no closures, but
// return what to do after unlocking.
struct CompletionAfterCallback<Outcome: Sendable>: Sendable {
    private(set) var isCalling = false
    /// Whether an outcome was set, even if its delivery is still deferred.
    private(set) var isCompleted = false
    private var deferred: Outcome?

    /// Returns `false` if the callback must not run, because another one is running or an outcome was set.
    mutating func beginCall() -> Bool {
        guard !isCalling, !isCompleted else { return false }
        isCalling = true
        return true
    }

    /// Returns the outcome that was set during the callback; the caller must deliver it now.
    mutating func endCall() -> Outcome? {
        assert(isCalling, "endCall without beginCall")
        isCalling = false
        return deferred.take()
    }

    /// Sets the outcome, once; returns whether the caller of this method must deliver it now.
    mutating func complete(_ outcome: Outcome) -> Bool {
        assert(!isCompleted, "complete(_:) after an outcome")
        isCompleted = true
        if isCalling { deferred = outcome }
        return !isCalling
    }
}
