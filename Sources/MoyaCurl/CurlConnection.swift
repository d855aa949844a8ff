#if os(Linux)
    import Foundation

    /// Any thread can use this; ``CurlSocket`` has the state that only the thread of the event loop uses.
    final class CurlConnection: TransportConnection {
        let request: TransportRequest
        let window: Int
        let receive: @Sendable (ConnectionEvent) -> Void
        /// The transport, retained because its `deinit` stops the event loop of the connection.
        private let transport: CurlTransport
        private let queue: CommandQueue<CurlConnectionLoop.Command>
        private let unsent = Locked(ContiguousArray<UInt8>())
        private let cancelled = OneShotFlag()

        init(
            _ request: TransportRequest, window: Int, _ transport: CurlTransport,
            _ queue: CommandQueue<CurlConnectionLoop.Command>, _ receive: @escaping @Sendable (ConnectionEvent) -> Void
        ) {
            self.request = request
            self.window = window
            self.transport = transport
            self.queue = queue
            self.receive = receive
        }

        var isCancelled: Bool { cancelled.isSet }

        func cancel() { if cancelled.setIfUnset() { queue.send(.cancel(self)) } }

        func send(_ bytes: Data) {
            guard !bytes.isEmpty else { return }
            let isFirst = unsent.withLock { unsent in
                defer { unsent.append(contentsOf: bytes) }
                return unsent.isEmpty
            }
            // If there are unsent bytes already, the loop has a command to send them.
            if isFirst { queue.send(.send(self)) }
        }

        func acknowledge(_ bytes: Int) { queue.send(.acknowledge(self, bytes)) }

        /// Replaces `bytes` with the unsent bytes, in one piece, and reuses its storage unless it is large.
        func takeUnsent(into bytes: inout ContiguousArray<UInt8>) {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 4 << 10)
            unsent.withLock { swap(&$0, &bytes) }
        }
    }
#endif
