#if os(Linux)
    /// Exchanges that wait until others with the same server have ended.
    ///
    /// libcurl has such a queue of its own, but looks at all that wait whenever one ends.
    struct CurlQueue {
        /// A class: a value would be taken out of the dictionary and put back for each change.
        private final class Server {
            var running = 0
            var waiting = Queue<CurlExchange>()
            /// It takes any number of requests on one connection.
            var isMultiplexing = false
        }

        private let limit: Int
        private var servers: [Substring: Server] = [:]
        /// Those that wait; one that was cancelled stays in its queue until its turn.
        private var waiting: Set<ObjectIdentifier> = []

        /// - Parameter limit: how many may run at a time with one server that does not multiplex.
        init(limit: Int) {
            self.limit = limit
        }

        /// Whether an exchange may begin; if not, it waits.
        mutating func admits(_ exchange: CurlExchange) -> Bool {
            let server = servers[exchange.origin] ?? Server()
            if server.running == 0 { servers[exchange.origin] = server }
            guard server.waiting.isEmpty, hasRoom(server) else {
                server.waiting.append(exchange)
                waiting.insert(ObjectIdentifier(exchange))
                return false
            }
            server.running += 1
            return true
        }

        /// Whether an exchange waited, which it no longer does.
        mutating func remove(_ exchange: CurlExchange) -> Bool {
            waiting.remove(ObjectIdentifier(exchange)) != nil
        }

        /// An exchange has ended that was admitted.
        func leave(_ exchange: CurlExchange, isMultiplexing: Bool) {
            let server = servers[exchange.origin]
            server?.running -= 1
            if isMultiplexing { server?.isMultiplexing = true }
        }

        /// The next that may begin with the server of one that has left.
        mutating func next(like exchange: CurlExchange) -> CurlExchange? {
            guard let server = servers[exchange.origin] else { return nil }
            while hasRoom(server), let next = server.waiting.popFirst() {
                guard waiting.remove(ObjectIdentifier(next)) != nil else { continue }
                server.running += 1
                return next
            }
            if server.running == 0 { servers[exchange.origin] = nil }
            return nil
        }

        private func hasRoom(_ server: Server) -> Bool { server.running < limit || server.isMultiplexing }
    }
#endif
