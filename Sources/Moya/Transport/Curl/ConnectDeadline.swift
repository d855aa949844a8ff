#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting of one exchange, used with libcurl before 7.87.
    ///
    /// When libcurl's own deadline expires, these versions block the thread until the host name is resolved. A
    /// `ConnectDeadline` is used on the thread of one event loop only. Its `deinit` cancels the timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// libcurl's pre-transfer time when this deadline began; the time changes when a connection is ready.
        ///
        /// The value is not `nil` if the request was already sent on a reused connection that was then closed.
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
