#if os(Linux)
    import Foundation
    import Synchronization

    /// Any thread can use this; ``CurlTransfer`` has the state that only the thread of the event loop uses.
    final class CurlExchange: TransportExchange {
        private enum State: UInt8, AtomicRepresentable {
            case running
            case cancelled
            case ended
        }

        let request: TransportRequest
        /// Whether the exchange opens a new connection for later requests, instead of sending a request.
        let isPreconnect: Bool
        let url: String
        /// The scheme, host and port, as they are written in the URL.
        let origin: Substring
        let receive: @Sendable (TransportEvents) -> Void
        /// The transport, retained because its `deinit` stops the event loops that run this exchange.
        private let transport: CurlTransport
        let created = MonotonicTime.now
        private let state = Atomic<State>(.running)
        /// The index of the event loop that runs the exchange; set once, before the exchange is sent to the loop.
        let loop = Atomic<Int>(0)

        init(
            _ request: TransportRequest, isPreconnect: Bool = false, _ transport: CurlTransport,
            _ receive: @escaping @Sendable (TransportEvents) -> Void
        ) {
            self.request = request
            self.isPreconnect = isPreconnect
            let url = request.url.absoluteString
            let slashes = url.utf8.indices.lazy.filter { url.utf8[$0] == UInt8(ascii: "/") }.dropFirst(2)
            origin = url[..<(slashes.first ?? url.endIndex)]
            self.url = url
            self.transport = transport
            self.receive = receive
        }

        var isCancelled: Bool { state.load(ordering: .relaxed) == .cancelled }

        func cancel() {
            if transition(to: .cancelled) { transport.group.cancel(self) }
        }

        func end() {
            _ = transition(to: .ended)
        }

        private func transition(to next: State) -> Bool {
            state.compareExchange(expected: .running, desired: next, ordering: .relaxed).exchanged
        }

        func acknowledge(_ bytes: Int) { send(.acknowledge(self, bytes)) }

        func resumeSending() { send(.resumeSending(self)) }

        /// Sends a command to the event loop that runs the exchange.
        func send(_ command: CurlCommand) { transport.group.queues[loop.load(ordering: .relaxed)].send(command) }
    }
#endif
