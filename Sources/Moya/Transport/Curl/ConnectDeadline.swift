#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting, used with libcurl before 7.87.
    ///
    /// When libcurl's own deadline expires in these versions, libcurl blocks the thread until the host name is
    /// resolved. A deadline is used on the thread of one event loop only. The `deinit` of a deadline cancels its timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// The value of libcurl's pre-transfer time when this deadline began.
        ///
        /// It is set if libcurl has already sent the request on a reused connection, which then closed; otherwise it is
        /// `nil`. Only a different value means that a new connection is ready.
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
