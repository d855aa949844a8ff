#if os(Linux)
    import CMoyaCurl
    import Foundation

    // Runs libcurl's transfers on its own thread. Delivers events after libcurl has returned, never in its callbacks.
    final class CurlLoop {
        private let index: Int
        private let group: CurlLoopGroup
        private let queue: CommandQueue<CurlCommand>
        private let settings: CurlSettings
        private let sockets: SocketSet
        private let multi: MultiHandle
        private var isStopped = false

        private var idle: [CurlTransfer] = []
        private var busy: [ObjectIdentifier: CurlTransfer] = [:]
        /// Ended transfers whose removal would block, because libcurl is still resolving their host names.
        private var abandoned: [ObjectIdentifier: CurlTransfer] = [:]
        private var withEvents: [CurlTransfer] = []
        /// Still in the multi handle; removed after the delivery, which callers may wait for.
        private var finished: [CurlTransfer] = []
        /// Of ended or rejected exchanges, and of responses that have begun; applied at the end of the iteration.
        private var connectionReports: [CurlLoopGroup.ConnectionReport] = []
        private var commands: [CurlCommand] = []
        private var pendingDeliveries: [(CurlExchange, TransportEvents)] = []

        private static let maximumIdle = 256

        init(_ index: Int, _ group: CurlLoopGroup, _ settings: CurlSettings, _ connections: Int) {
            self.index = index
            self.group = group
            self.settings = settings
            queue = group.queues[index]
            sockets = SocketSet(queue.epoll)
            // A loop with 0 connections gets no transfers. Its limit is 1, because libcurl treats 0 as "unlimited".
            multi = MultiHandle(
                sockets, perHost: max(connections, 1), total: CurlSettings.maximumConnections / settings.threads)
        }

        func run() {
            while !isStopped { iterate() }
            idle = []
            multi.cleanUp()
        }

        private func iterate() {
            sockets.wait(multi.timeout(queue)) { ready in
                multi.process(ready)
                collectFinished()
            }
            queue.take(into: &commands)
            for command in commands { execute(command) }
            commands.removeAll(keepingCapacity: true)
            // Only once per iteration: a busy transfer may always have a due timer, and would starve the others.
            if multi.processTimers() { collectFinished() }
            examineResponses()
            while !connectionReports.isEmpty {
                for exchange in group.apply(&connectionReports, by: index) { start(exchange) }
            }
            deliver()
        }

        private func collectFinished() {
            while case let (_, transfer?, code)? = multi.nextFinished() {
                guard !sendAgain(transfer, after: code) else { continue }
                finish(transfer, transfer.outcome(code))
                abandoned[ObjectIdentifier(transfer.easy)] = nil
                finished.append(transfer)
            }
        }

        /// Sends a request again whose reused connection was closed; libcurl does so only if it notices when reading.
        private func sendAgain(_ transfer: CurlTransfer, after code: Int32) -> Bool {
            guard let exchange = transfer.exchange, transfer.maySendAgain(after: code) else { return false }
            multi.remove(transfer.easy)
            guard (try? transfer.beginAgain(exchange)) != nil else { return false }
            return transfer.upload.isAwaitingEnd || multi.add(transfer.easy)
        }

        // Ends exchanges that need no more content of the request. Lets waiting requests share the connections of other
        // responses that have begun, and may not end for long.
        private func examineResponses() {
            for transfer in withEvents where transfer.hasEvents {
                transfer.noteEndOfReadingUnwatched()
                transfer.watchSending()
                if let code = transfer.endAheadOfContent, code == 0 || !sendAgain(transfer, after: code) {
                    end(transfer, transfer.outcome(code))
                } else if transfer.events.head?.version == "HTTP/2", let origin = transfer.exchange?.origin {
                    connectionReports.append(.init(origin: origin, loop: index, isMultiplexed: true, isReleased: false))
                }
            }
        }

        private func deliver() {
            for transfer in withEvents {
                guard transfer.hasEvents, let exchange = transfer.exchange else { continue }
                pendingDeliveries.append((exchange, transfer.takeEvents(isEnd: false)))
            }
            withEvents.removeAll(keepingCapacity: true)
            // Receivers can only enqueue commands, so the array doesn't change here. An iterator would retain it and
            // prevent the reuse of its storage.
            for index in pendingDeliveries.indices {
                let (exchange, events) = pendingDeliveries[index]
                if events.outcome != nil { exchange.end() }
                exchange.receive(events)
            }
            pendingDeliveries.removeAll(keepingCapacity: true)
            for transfer in finished { recycle(transfer) }
            finished.removeAll(keepingCapacity: true)
        }

        private func recycle(_ transfer: CurlTransfer) {
            // Has no effect on a transfer that was not added.
            multi.remove(transfer.easy)
            if idle.count < Self.maximumIdle, transfer.renew() { idle.append(transfer) }
        }
    }

    extension CurlLoop {
        private func execute(_ command: CurlCommand) {
            switch command {
            case .start(let exchange): start(exchange)
            case .reportCancelled(let exchange): report(URLError(.cancelled), to: exchange)
            case .cancel(let exchange):
                guard let transfer = busy[ObjectIdentifier(exchange)] else { break }
                end(transfer, TransportOutcome(error: URLError(.cancelled)))
            case .connectTimedOut(let exchange):
                guard let transfer = busy[ObjectIdentifier(exchange)], transfer.isConnecting else { break }
                end(transfer, TransportOutcome(error: transfer.connectTimeoutError(exchange.request)))
            case .checkSending(let exchange, let sent): busy[ObjectIdentifier(exchange)]?.watchSending(since: sent)
            case .acknowledge(let exchange, let bytes): resume(exchange) { $0.acknowledge(bytes) }
            case .resumeSending(let exchange): resumeSending(exchange)
            case .stop: stop()
            }
            collectFinished()
        }

        private func start(_ exchange: CurlExchange) {
            guard !exchange.isCancelled else { return reject(exchange, URLError(.cancelled)) }
            guard !isStopped else { return reject(exchange, .transportWasShutDown) }
            guard
                let transfer = idle.popLast()
                    ?? CurlTransfer(settings, sockets, onFirstEvent: { [unowned self] in withEvents.append($0) })
            else { return reject(exchange, .outOfMemory(exchange.request)) }
            busy[ObjectIdentifier(exchange)] = transfer
            add(transfer, exchange) { try transfer.begin(exchange) }
        }

        /// Adds a transfer to libcurl after a step, unless it has to wait; ends the exchange if that fails.
        private func add(_ transfer: CurlTransfer, _ exchange: CurlExchange, after step: () throws -> Void) {
            do {
                try step()
                if transfer.upload.isAwaitingEnd || multi.add(transfer.easy) { return }
                throw URLError.outOfMemory(exchange.request)
            } catch {
                end(transfer, TransportOutcome(error: error as? URLError ?? .unreadableContent(error)))
            }
        }

        /// Ends an exchange that was assigned to this loop and has not begun.
        private func reject(_ exchange: CurlExchange, _ error: URLError) {
            connectionReports.append(.init(origin: exchange.origin, loop: index))
            report(error, to: exchange)
        }

        private func report(_ error: URLError, to exchange: CurlExchange) {
            pendingDeliveries.append((exchange, TransportEvents(outcome: TransportOutcome(error: error))))
        }

        private func resumeSending(_ exchange: CurlExchange) {
            guard let transfer = busy[ObjectIdentifier(exchange)], transfer.upload.isAwaitingEnd else {
                return resume(exchange) { $0.easy.resume() }
            }
            add(transfer, exchange) { try transfer.upload.awaitEnd() }
        }

        private func resume(_ exchange: CurlExchange, _ step: (CurlTransfer) -> Int32) {
            guard let transfer = busy[ObjectIdentifier(exchange)] else { return }
            let code = step(transfer)
            if code != 0 { end(transfer, transfer.outcome(code)) }
        }

        /// Ends an exchange before libcurl has finished its transfer.
        private func end(_ transfer: CurlTransfer, _ outcome: TransportOutcome) {
            let isResolving = transfer.phase == .resolving
            finish(transfer, outcome)
            if isResolving, !settings.library.hasQuickExit {
                // Removing the transfer would block the loop until the name is resolved.
                abandoned[ObjectIdentifier(transfer.easy)] = transfer
            } else {
                recycle(transfer)
            }
        }

        private func stop() {
            isStopped = true
            for transfer in busy.values { end(transfer, TransportOutcome(error: .transportWasShutDown)) }
            for transfer in abandoned.values { recycle(transfer) }
            abandoned = [:]
            for command in queue.close() { execute(command) }
        }

        /// Ends the exchange of a transfer; called exactly once for each exchange that has begun.
        private func finish(_ transfer: CurlTransfer, _ outcome: TransportOutcome) {
            var events = transfer.takeEvents(isEnd: true)
            events.outcome = outcome
            guard let exchange = transfer.end() else { return }
            busy[ObjectIdentifier(exchange)] = nil
            let isMultiplexed = outcome.metrics.version.map { $0 == "HTTP/2" }
            connectionReports.append(.init(origin: exchange.origin, loop: index, isMultiplexed: isMultiplexed))
            pendingDeliveries.append((exchange, events))
        }
    }
#endif
