import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    let trust: SessionTrust

    init(_ trust: SessionTrust) {
        self.trust = trust
    }

    func register(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    #if !canImport(FoundationNetworking)
        private let connections = Locked<[Int: SessionConnection]>([:])

        func register(_ connection: SessionConnection, for task: URLSessionTask) {
            connections.withLock { $0[task.taskIdentifier] = connection }
        }
    #endif

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { exchange(of: dataTask)?.received(response) }
        completionHandler(.allow)
    }

    #if !canImport(FoundationNetworking)
        /// On Linux, interim responses arrive like others.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            exchange(of: task)?.received(response)
        }
    #endif

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(bytesSent)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.completed(task, error)
        #if !canImport(FoundationNetworking)
            connections.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
        #endif
    }

    /// Refuses the redirect, because the layers above the transport follow it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux, the process crashes if the completion handler is called after a cancel.
            exchange(of: task)?.unlessCancelled { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    /// Foundation calls this before the task completes, and never on Linux.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(of: task)?.measured(TransportMetrics(metrics))
    }

    // Rejects password challenges so that the 401 or 407 response arrives. TLS challenges, which Foundation on Linux
    // does not report, go to the trust policy.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // The completion handler is not called, because a call that races with a cancel would crash the process.
            exchange(of: task)?.deliverChallenge(task)
        #else
            let response = trust.response(to: challenge, at: task.currentRequest?.url)
            if let failure = response.failure {
                exchange(of: task)?.refused(failure)
                connections.withLock { $0[task.taskIdentifier] }?.refused(failure)
            }
            completionHandler(response.disposition, response.credential)
        #endif
    }

    // Opens the content of a stream. For other content, Foundation calls this method only if a reused connection was
    // closed, and a repeatable request is sent again.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return completionHandler(nil) }
        #if !canImport(FoundationNetworking)
            if exchange.hasStream { return exchange.openStream(task, completionHandler) }
        #endif
        exchange.startOver(task)
        completionHandler(nil)
    }
}

extension TransportMetrics {
    /// On Linux, this code is compiled but never runs, because Foundation does not report the measurements there.
    fileprivate init(_ metrics: URLSessionTaskMetrics) {
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
