#if os(Linux)
    import CCurl
    import Foundation

    /// The deadline for connecting, used with libcurl before 7.87.
    ///
    /// libcurl's own deadline blocks the thread in these versions until the name is resolved. This type is used on the
    /// thread of its event loop only. Its deinitialiser cancels the timer.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// The time until libcurl first sent the request, if it did so on a reused connection that was dead.
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
