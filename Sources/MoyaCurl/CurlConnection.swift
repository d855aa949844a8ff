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
        private let unsent = LockedArray<Data>()
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
            // If there are unsent bytes already, the loop has a command to send them.
            if !bytes.isEmpty, unsent.append(bytes) == 1 { queue.send(.send(self)) }
        }

        func acknowledge(_ bytes: Int) { queue.send(.acknowledge(self, bytes)) }

        /// Removes the unsent bytes and returns them, in one piece.
        func takeUnsent() -> ContiguousArray<UInt8> { ContiguousArray(unsent.takeAll().joined()) }
    }
#endif
