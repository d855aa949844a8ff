#if os(Linux)
    import CCurl
    import Foundation

    /// A deadline for connecting that replaces libcurl's own deadline, used with libcurl before 7.87.
    ///
    /// When its own deadline expires, libcurl before 7.87 blocks the thread until the host name is resolved. A
    /// `ConnectDeadline` is used on the thread of one event loop only. Its `deinit` cancels the timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// libcurl's pre-transfer time when this deadline began.
        ///
        /// libcurl sets the pre-transfer time when a connection is ready for the request. Usually the time is `nil` at
        /// the start of the deadline. The time is not `nil` if libcurl has already sent the request on a reused
        /// connection and that connection was closed. A new connection is ready when the time differs from this value.
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
