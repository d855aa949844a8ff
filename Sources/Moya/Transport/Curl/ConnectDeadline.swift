#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting, where libcurl would stop to wait for a look-up that it takes too long: below 7.87.
    ///
    /// On the engine's thread only; called off with its last owner.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// When the request before on this transfer was sent, if one was: on a connection that turned out to be dead.
        private let sentBefore: Duration?

        init(_ exchange: CurlExchange, _ limit: Duration, _ easy: EasyHandle) {
            sentBefore = easy.time(CCURLINFO_PRETRANSFER_TIME_T)
            let scheduler: any Scheduler = .background
            timer = scheduler.schedule(after: limit) { [weak exchange] in exchange?.connectTimedOut() }
        }

        deinit { timer.cancel() }

        func hasConnected(_ easy: EasyHandle) -> Bool { easy.time(CCURLINFO_PRETRANSFER_TIME_T) != sentBefore }
    }
#endif
