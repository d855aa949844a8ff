import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands the session's callbacks to the exchange that each belongs to.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    private let trust: SessionTrust

    init(_ trust: SessionTrust) {
        self.trust = trust
    }

    func register(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

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
    }

    /// Redirects are followed above: the 3xx is the answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // An answer that comes behind a cancel ends the process: then none is given.
            exchange(of: task)?.unlessCancelled { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    /// Comes before the completion; on Linux it does not come.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(of: task)?.measured(TransportMetrics(metrics))
    }

    /// Challenges are answered above: the 401 or 407 is the answer.
    ///
    /// Those of TLS are answered by the trust policy; on Linux there are none.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Any answer given here can race with a cancel and end the process: none is given.
            exchange(of: task)?.settleForChallenge(task)
        #else
            let answer = trust.answer(challenge)
            if let failure = answer.failure { exchange(of: task)?.refused(failure) }
            completionHandler(answer.disposition, answer.credential)
        #endif
    }

    /// Only asked for when a connection that was used again turned out to be dead.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        exchange(of: task)?.startOver(task)
        completionHandler(nil)
    }
}
