#if os(Linux)
    import CMoyaCurl
    import Foundation
    import Synchronization

    // The event loops of a transport. An exchange keeps its loop, whose thread delivers all of its events.
    final class CurlLoopGroup: Sendable {
        typealias ConnectionReport = LoadBalancer<CurlExchange>.ConnectionReport

        let queues: [CommandQueue<CurlCommand>]
        private let balancer: Locked<LoadBalancer<CurlExchange>>

        init(_ settings: CurlSettings) throws(TransportError) {
            queues = try (0..<settings.threads).map { _ throws(TransportError) in try CommandQueue() }
            let balancer = LoadBalancer<CurlExchange>(
                loops: settings.threads, limit: settings.connectionsPerHost,
                firstLoopThreshold: settings.firstLoopThreshold)
            self.balancer = Locked(balancer)
            for index in queues.indices {
                let connections = balancer.shares[index]
                Thread { [self] in
                    // The thread sets its own name, because Foundation does not set it reliably.
                    // SAFETY: the function copies the string.
                    unsafe cepoll_begin_thread("moya.curl.\(index)")
                    CurlLoop(index, self, settings, connections).run()
                }.start()
            }
        }

        func start(_ exchange: CurlExchange) {
            let loop = balancer.withLock { balancer in
                let loop = balancer.admit(exchange, of: exchange.origin)
                if let loop { exchange.loop.store(loop, ordering: .relaxed) }
                return loop
            }
            guard let loop, !queues[loop].send(.start(exchange)) else { return }
            reportShutdown(exchange)
            var reports = [ConnectionReport(origin: exchange.origin, loop: loop)]
            _ = apply(&reports, by: nil)
        }

        func cancel(_ exchange: CurlExchange) {
            let wasWaiting = balancer.withLock { $0.remove(exchange, of: exchange.origin) }
            guard wasWaiting else { return exchange.send(.cancel(exchange)) }
            if !queues[0].send(.reportCancelled(exchange)) { reportShutdown(exchange) }
        }

        // Applies what loops report of connections (empties `reports`) and assigns waiting exchanges to loops. Returns
        // those that the calling loop must start; `loop` is `nil` if the caller isn't a loop.
        func apply(_ reports: inout [ConnectionReport], by loop: Int?) -> [CurlExchange] {
            var own: [CurlExchange] = []
            while !reports.isEmpty {
                let assignments = balancer.withLock { balancer in
                    let assignments = balancer.apply(reports)
                    for (exchange, loop) in assignments { exchange.loop.store(loop, ordering: .relaxed) }
                    return assignments
                }
                reports.removeAll(keepingCapacity: true)
                for (exchange, assigned) in assignments {
                    if assigned == loop {
                        own.append(exchange)
                    } else if !queues[assigned].send(.start(exchange)) {
                        reportShutdown(exchange)
                        reports.append(ConnectionReport(origin: exchange.origin, loop: assigned))
                    }
                }
            }
            return own
        }

        private func reportShutdown(_ exchange: CurlExchange) {
            DispatchScheduler.deliveries.schedule {
                exchange.end()
                exchange.receive(TransportEvents(outcome: TransportOutcome(error: .transportWasShutDown)))
            }
        }
    }

    extension URLError {
        static var transportWasShutDown: URLError {
            URLError(.cancelled, "the transport was shut down before the exchange was complete")
        }
    }
#endif
