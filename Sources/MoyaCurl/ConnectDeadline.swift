#if os(Linux)
    import CMoyaCurl
    import Foundation

    /// A timer that limits how long one exchange may take to connect; used with libcurl before 7.87.
    ///
    /// If libcurl's own time limit expires, these versions block the thread until the host name is resolved.
    /// All members are used on the thread of one event loop.
    final class ConnectDeadline {
        private let timer: any Cancellable
        /// libcurl's pre-transfer time at the start of the timer; a later change means that the exchange has connected.
        ///
        /// Usually `nil`; has a value if libcurl first tried to reuse a connection that was closed.
        private let pretransferTimeAtStart: Duration?

        init(_ exchange: CurlExchange, _ limit: Duration, _ easy: EasyHandle) {
            pretransferTimeAtStart = easy.time(CCURLINFO_PRETRANSFER_TIME_T)
            let scheduler: any Scheduler = .deliveries
            timer = scheduler.schedule(after: limit) { [weak exchange] in exchange?.connectTimedOut() }
        }

        deinit { timer.cancel() }

        func hasConnected(_ easy: EasyHandle) -> Bool {
            easy.time(CCURLINFO_PRETRANSFER_TIME_T) != pretransferTimeAtStart
        }
    }
#endif
