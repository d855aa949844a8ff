import MoyaScheduling

/// A timer that is cancelled when the last reference to this object is released.
///
/// It never fires inside its initializer, unless the scheduler skips delays.
final class AutoCancellingTimer: Sendable {
    private let work: any Cancellable

    init(
        after delay: Duration, on scheduler: any Scheduler, fileID: String = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () -> Void
    ) {
        self.work = scheduler.scheduleTimer(after: delay, fileID: fileID, line: line, work)
    }

    deinit { work.cancel() }
}
