#if os(Linux)
    import Foundation
    import Synchronization

    /// What other threads want of the engine's.
    enum CurlCommand: Sendable {
        case start(CurlExchange)
        case cancel(CurlExchange)
        case connectTimedOut(CurlExchange)
        case consumed(CurlExchange, Int)
        case resumeSending(CurlExchange)
        case stop
    }

    /// The engine's letter box, and the bell that wakes it.
    ///
    /// The bell is rung only when the engine really sleeps.
    final class CurlInbox: Sendable {
        private struct State: Sendable {
            var commands: [CurlCommand] = []
            var isSleeping = false
        }

        /// Rung when there is something in the box for an engine that sleeps.
        let bell: Bell
        private let state = Guarded(State())

        init() throws(MoyaError) {
            bell = try Bell()
        }

        func send(_ command: CurlCommand) {
            let wakes = state.withLock { state in
                state.commands.append(command)
                defer { state.isSleeping = false }
                return state.isSleeping
            }
            if wakes { bell.ring() }
        }

        var isEmpty: Bool { state.withLock { $0.commands.isEmpty } }

        /// Puts what has come into `commands`, which must be empty: its storage is used again.
        func take(into commands: inout [CurlCommand]) {
            state.withLock { state in
                state.isSleeping = false
                swap(&state.commands, &commands)
            }
        }

        /// Whether the engine may sleep: nothing came since it took the last commands, and from now on the bell is rung.
        func fallAsleep() -> Bool {
            state.withLock { state in
                state.isSleeping = state.commands.isEmpty
                return state.isSleeping
            }
        }
    }

    /// One exchange, as other threads see it.
    final class CurlExchange: TransportExchange {
        let request: TransportRequest
        let url: String
        /// Scheme, host and port, as they are written.
        let origin: Substring
        let receive: @Sendable (TransportEvents) -> Void
        /// Kept alive as long as the exchange runs.
        private let transport: CurlTransport
        private let inbox: CurlInbox
        private let phase = Atomic<UInt8>(Phase.live)

        private enum Phase {
            static let live: UInt8 = 0
            static let cancelled: UInt8 = 1
            static let ended: UInt8 = 2
        }

        init(
            _ request: TransportRequest, _ transport: CurlTransport, _ inbox: CurlInbox,
            _ receive: @escaping @Sendable (TransportEvents) -> Void
        ) {
            self.request = request
            let url = request.url.absoluteString
            let slashes = url.utf8.indices.lazy.filter { url.utf8[$0] == UInt8(ascii: "/") }.dropFirst(2)
            origin = url[..<(slashes.first ?? url.endIndex)]
            self.url = url
            self.transport = transport
            self.inbox = inbox
            self.receive = receive
        }

        var isCancelled: Bool { phase.load(ordering: .relaxed) == Phase.cancelled }

        func cancel() {
            guard move(to: Phase.cancelled) else { return }
            inbox.send(.cancel(self))
        }

        /// From now on a cancel means nothing.
        func end() {
            _ = move(to: Phase.ended)
        }

        private func move(to next: UInt8) -> Bool {
            phase.compareExchange(expected: Phase.live, desired: next, ordering: .relaxed).exchanged
        }

        func consumed(_ bytes: Int) {
            inbox.send(.consumed(self, bytes))
        }

        func connectTimedOut() {
            inbox.send(.connectTimedOut(self))
        }

        func resumeSending() {
            inbox.send(.resumeSending(self))
        }
    }
#endif
