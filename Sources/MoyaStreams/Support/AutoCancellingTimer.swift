import MoyaScheduling

/// Scheduled work that is cancelled when the last reference to this object is released.
final class AutoCancellingTimer: Sendable {
    private let work: any Cancellable

    init(_ work: any Cancellable) {
        self.work = work
    }

    deinit { work.cancel() }
}
