#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting, used with libcurl before 7.87.
    ///
    /// In these versions, libcurl's own deadline blocks the thread until the host name is resolved. This type is used
    /// on the thread of its event loop only. Its deinitialiser cancels the timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// The time of an earlier attempt to send the request on a closed, reused connection; `nil` if there was none.
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
