#if !canImport(FoundationNetworking)
    import Foundation

    // A connection for other protocols than HTTP, such as WebSocket. Foundation resolves the name, uses the session's
    // proxy, and asks the session's delegate about the certificate. The delegate queue runs one callback at a time.
    final class SessionConnection: TransportConnection {
        private struct State: Sendable {
            var sent: Int64 = 0
            var unacknowledged = 0
            var isReading = false
            var hasEnded = false
            var failure: URLError?
        }

        private static let readLength = 64 << 10

        private let task: URLSessionStreamTask
        private let url: URL
        private let window: Int
        private let receive: @Sendable (ConnectionEvent) -> Void
        private let state = Locked(State())
        private let cancelled = OneShotFlag()

        init(
            _ task: URLSessionStreamTask, _ url: URL, window: Int,
            _ receive: @escaping @Sendable (ConnectionEvent) -> Void
        ) {
            self.task = task
            self.url = url
            self.window = window
            self.receive = receive
        }

        /// Foundation connects while the first bytes wait, and reports a failure as that of reading and writing.
        func begin(on queue: OperationQueue) {
            queue.addOperation { [self] in
                receive(.opened(self))
                readIfPossible()
            }
            task.resume()
            if url.isSecure { task.startSecureConnection() }
        }

        var isCancelled: Bool { cancelled.isSet }

        func cancel() { if cancelled.setIfUnset() { task.cancel() } }

        func send(_ bytes: Data) {
            // A timeout of 0 means none. A failure to write also ends the task.
            task.write(bytes, timeout: 0) { [self] error in
                guard error == nil else { return }
                let sent = state.withLock { state -> Int64? in
                    state.sent += Int64(bytes.count)
                    return state.hasEnded ? nil : state.sent
                }
                if let sent { receive(.sent(sent)) }
            }
        }

        func acknowledge(_ bytes: Int) {
            state.withLock { $0.unacknowledged = max($0.unacknowledged - max(bytes, 0), 0) }
            readIfPossible()
        }

        private func readIfPossible() {
            let mustRead = state.withLock { state in
                guard !state.isReading, !state.hasEnded, state.unacknowledged < window else { return false }
                state.isReading = true
                return true
            }
            guard mustRead else { return }
            task.readData(ofMinLength: 1, maxLength: Self.readLength, timeout: 0) { [self] data, isAtEnd, error in
                let isOpen = state.withLock { state in
                    state.isReading = false
                    state.unacknowledged += data?.count ?? 0
                    return !state.hasEnded
                }
                if isOpen, let data, !data.isEmpty { receive(.received(data)) }
                if error != nil || isAtEnd { end(error) } else { readIfPossible() }
            }
        }

        /// The trust policy has refused the server; called before ``end(_:)``.
        func refused(_ failure: URLError) { state.withLock { $0.failure = failure } }

        /// Reports the end, once, with the error of Foundation if there is one.
        func end(_ error: (any Error)?) {
            let (isFirst, failure) = state.withLock { state in
                (!exchange(&state.hasEnded, with: true), state.failure)
            }
            guard isFirst else { return }
            task.cancel()
            if isCancelled { return receive(.ended(URLError(.cancelled))) }
            receive(.ended(failure ?? error.map { URLError(foundation: $0, url, hasHead: false) }))
        }
    }
#endif
