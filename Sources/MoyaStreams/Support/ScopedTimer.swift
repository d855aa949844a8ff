import Moya

/// Scheduled work that is cancelled when nobody holds this any more.
final class ScopedTimer: Sendable {
    private let work: any Cancellable

    init(_ work: any Cancellable) {
        self.work = work
    }

    deinit { work.cancel() }
}
