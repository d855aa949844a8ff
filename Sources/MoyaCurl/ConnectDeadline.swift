#if os(Linux)
    import CMoyaCurl

    /// Limits how long an exchange may take to connect, on the event loop's thread; for libcurl before 7.87, whose own
    /// time limit blocks the thread until the host name is resolved.
    final class ConnectDeadline {
        private let timer: any Cancellable
        // libcurl's pre-transfer time at the start; a later change means that the exchange has connected. Has a value
        // only if libcurl first tried to reuse a closed connection.
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
