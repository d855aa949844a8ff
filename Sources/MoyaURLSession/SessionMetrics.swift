import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportMetrics {
    /// On Linux, this code is compiled but never runs, because Foundation does not report the measurements there.
    init(_ metrics: URLSessionTaskMetrics) {
        self.init()
        guard let exchange = metrics.transactionMetrics.last else { return }
        // All durations except `queued` are measured from this date.
        let start = exchange.fetchStartDate ?? metrics.taskInterval.start
        queued = Duration(clampedSeconds: start.timeIntervalSince(metrics.taskInterval.start))
        func until(_ date: Date?) -> Duration? {
            date.map { Duration(clampedSeconds: $0.timeIntervalSince(start)) }
        }
        nameLookup = until(exchange.domainLookupEndDate)
        // URLSession's `connectEndDate` includes the TLS handshake, if there is one.
        connect = until(exchange.secureConnectionStartDate ?? exchange.connectEndDate)
        secureConnect = until(exchange.secureConnectionEndDate)
        requestSent = until(exchange.requestEndDate)
        firstByte = until(exchange.responseStartDate)
        isReusedConnection = exchange.isReusedConnection
        bytesSent = exchange.countOfRequestHeaderBytesSent + exchange.countOfRequestBodyBytesSent
        bytesReceived = exchange.countOfResponseHeaderBytesReceived + exchange.countOfResponseBodyBytesReceived
        remoteAddress = exchange.remoteAddress
        #if canImport(FoundationNetworking)
            remotePort = exchange.remotePort.flatMap { Int($0) }
        #else
            remotePort = exchange.remotePort
        #endif
    }
}
