#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting, for libcurl before 7.87, which blocks at its own deadline until the name is resolved.
    ///
    /// Used on the thread of its event loop only; cancelled when it is deinitialized.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// When the request was sent before, if it was: on a reused connection that turned out to be dead.
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
