#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting with libcurl before 7.87, whose own deadline blocks until the name is resolved.
    ///
    /// It is used on the thread of its event loop only. Its deinitialiser cancels the timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// The time until libcurl sent the request on a reused connection that was dead; `nil` if it did not.
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
