#if os(Linux)
    import CCurl
    import Foundation

    /// The engine's thread: it waits for sockets, commands and time, and lets libcurl do its work.
    ///
    /// Everything here is confined to that thread. Receivers are called between two turns, never from inside libcurl.
    ///
    /// SAFETY, for every mark in this file: `multi` is valid from `init` to the end of `run`; the loop is alive as long, and
    /// is the context of both callbacks, which libcurl calls on this thread only.
    @safe
    final class CurlLoop {
        private let inbox: CurlInbox
        private let settings: CurlSettings
        private let sockets: SocketSet
        private let multi: UnsafeMutableRawPointer?
        /// When libcurl wants to be called even if nothing happens.
        private var timer: ContinuousClock.Instant?
        private var isStopped = false

        private var idle: [CurlSlot] = []
        private var busy: [ObjectIdentifier: CurlSlot] = [:]
        /// Slots whose exchange is over while libcurl is still at it, by handle.
        private var abandoned: [ObjectIdentifier: CurlSlot] = [:]
        private var touched: [CurlSlot] = []
        /// Slots whose transfer is complete; they are made as new when there is time.
        private var spent: [CurlSlot] = []
        private var queue: CurlQueue
        /// Those that were admitted and have ended, until another takes their place.
        private var left: [CurlExchange] = []
        private var commands: [CurlCommand] = []
        private var outbox: [(CurlExchange, TransportEvents)] = []
        private var batches: [(CurlExchange, TransportEvents)] = []

        private static let mostIdle = 256
        /// With more of them requests go through memory that the processor no longer has at hand.
        private static let mostSpent = 4
        private static let mostConnections = 512

        init(_ inbox: CurlInbox, _ sockets: SocketSet, _ settings: CurlSettings) {
            self.settings = settings
            self.sockets = sockets
            self.inbox = inbox
            queue = CurlQueue(limit: settings.connectionsPerHost)
            unsafe multi = ccurl_multi_init()
        }

        func run() {
            // A write to a connection that the server has closed must be an error, not the end of the process.
            cepoll_block_signals()
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe _ = ccurl_multi_set_callbacks(
                multi,
                { _, socket, what, context, _ in
                    unsafe CurlLoop.loop(context)?.watch(socket, what)
                    return 0
                },
                { _, milliseconds, context in
                    unsafe CurlLoop.loop(context)?.setTimer(milliseconds)
                    return 0
                }, context)
            unsafe _ = ccurl_multi_set_long(multi, Int32(CCURLMOPT_MAXCONNECTS), Self.mostConnections)
            unsafe _ = ccurl_multi_set_long(multi, Int32(CCURLMOPT_MAX_HOST_CONNECTIONS), settings.connectionsPerHost)
            unsafe _ = ccurl_multi_set_long(multi, Int32(CCURLMOPT_PIPELINING), CCURLPIPE_MULTIPLEX)
            sockets.watch(inbox.bell)
            while !isStopped { turn() }
            releaseSpent()
            idle = []
            unsafe ccurl_multi_cleanup(multi)
        }

        private func turn() {
            sockets.wait(sleepTime, act)
            inbox.take(into: &commands)
            for command in commands { apply(command) }
            commands.removeAll(keepingCapacity: true)
            // Once in a turn: a transfer that is always ready asks for the next time at once, and others want theirs.
            if let timer, timer <= .now {
                self.timer = nil
                act(on: Int32(CCURL_SOCKET_TIMEOUT), 0)
            }
            launchWaiting()
            deliver()
        }

        /// In milliseconds; -1 means until something happens.
        private var sleepTime: Int32 {
            guard let timer else { return inbox.fallAsleep() ? -1 : 0 }
            let left = ContinuousClock.now.duration(to: timer).nanoseconds
            guard left > 0, inbox.fallAsleep() else { return 0 }
            return Int32(clamping: (left + 999_999) / 1_000_000)
        }

        private func act(_ ready: cepoll_ready) {
            var events = ready.can_read != 0 ? CCURL_CSELECT_IN : 0
            if ready.can_write != 0 { events |= CCURL_CSELECT_OUT }
            if ready.has_failed != 0 { events |= CCURL_CSELECT_ERR }
            act(on: ready.descriptor, Int32(events))
        }

        private func act(on socket: Int32, _ events: Int32) {
            var running: Int32 = 0
            unsafe _ = ccurl_multi_socket_action(multi, socket, events, &running)
            collect()
        }

        private func collect() {
            var code: Int32 = 0
            while let raw = unsafe ccurl_multi_next_done(multi, &code) {
                guard let slot = unsafe CurlSlot.serving(raw) else { continue }
                finish(slot, slot.outcome(code))
                abandoned[ObjectIdentifier(slot.easy)] = nil
                spent.append(slot)
            }
        }

        private func deliver() {
            for slot in touched {
                guard slot.isTouched, let exchange = slot.exchange else { continue }
                outbox.append((exchange, slot.takeEventsInTime()))
            }
            touched.removeAll(keepingCapacity: true)
            // A receiver may cause more, but only by way of the inbox.
            swap(&outbox, &batches)
            // By index: to go through an array keeps it, and its storage could not be used again.
            for index in batches.indices {
                let (exchange, events) = batches[index]
                if events.outcome != nil { exchange.end() }
                exchange.receive(events)
            }
            batches.removeAll(keepingCapacity: true)
            // Behind what comes next, too: nobody waits for it.
            if inbox.isEmpty || spent.count >= Self.mostSpent { releaseSpent() }
        }

        private func releaseSpent() {
            for slot in spent { release(slot) }
            spent.removeAll(keepingCapacity: true)
        }
    }

    // MARK: Commands

    extension CurlLoop {
        private func apply(_ command: CurlCommand) {
            switch command {
            case .start(let exchange): start(exchange)
            case .cancel(let exchange): end(exchange, URLError(.cancelled))
            case .connectTimedOut(let exchange):
                guard busy[ObjectIdentifier(exchange)]?.isConnecting == true else { break }
                end(exchange, URLError(.timedOut, "no connection was made in time"))
            case .consumed(let exchange, let bytes): goOn(exchange) { $0.consumed(bytes) }
            case .resumeSending(let exchange): goOn(exchange) { $0.resumeSending() }
            case .stop: stop()
            }
            collect()
        }

        private func start(_ exchange: CurlExchange) {
            if exchange.isCancelled { return refuse(exchange, URLError(.cancelled)) }
            if queue.admits(exchange) { launch(exchange) }
        }

        /// Begins an exchange that the queue has admitted.
        private func launch(_ exchange: CurlExchange) {
            guard
                let slot = idle.popLast()
                    ?? CurlSlot(settings, sockets, onTouch: { [unowned self] in touched.append($0) })
            else {
                return reject(exchange, CurlLibrary.error(Int32(CCURLE_OUT_OF_MEMORY), "", exchange.request.url))
            }
            do {
                try slot.begin(exchange)
            } catch {
                _ = slot.end()
                idle.append(slot)
                let reason = "the content of the request cannot be read: \(error.localizedDescription)"
                return reject(exchange, error as? URLError ?? URLError(.requestBodyStreamExhausted, reason))
            }
            busy[ObjectIdentifier(exchange)] = slot
            guard unsafe ccurl_multi_add_handle(multi, slot.easy.raw) == 0 else {
                finish(slot, slot.outcome(Int32(CCURLE_OUT_OF_MEMORY)))
                idle.append(slot)
                return
            }
        }

        /// Ends an exchange that was admitted, before it began.
        private func reject(_ exchange: CurlExchange, _ error: URLError) {
            queue.leave(exchange, isMultiplexing: false)
            left.append(exchange)
            refuse(exchange, error)
        }

        /// Begins those that waited for one that has ended.
        private func launchWaiting() {
            while let exchange = left.popLast() {
                while let next = queue.next(like: exchange) { launch(next) }
            }
        }

        private func goOn(_ exchange: CurlExchange, _ step: (CurlSlot) -> Int32) {
            guard let slot = busy[ObjectIdentifier(exchange)] else { return }
            let code = step(slot)
            guard code != 0 else { return }
            finish(slot, slot.outcome(code))
            release(slot)
        }

        private func refuse(_ exchange: CurlExchange, _ error: URLError) {
            outbox.append((exchange, TransportEvents(outcome: TransportOutcome(error: error))))
        }

        /// Ends what libcurl would go on with.
        private func end(_ exchange: CurlExchange, _ error: URLError) {
            guard let slot = busy[ObjectIdentifier(exchange)] else {
                if queue.remove(exchange) { refuse(exchange, error) }
                return
            }
            finish(slot, TransportOutcome(error: error))
            if slot.isResolving, !settings.library.hasQuickExit {
                // Taking it out would wait for the look-up, and everybody with it.
                abandoned[ObjectIdentifier(slot.easy)] = slot
            } else {
                release(slot)
            }
        }

        private func stop() {
            isStopped = true
            for exchange in busy.values.compactMap(\.exchange) { end(exchange, URLError(.cancelled)) }
            for slot in abandoned.values { release(slot) }
            abandoned = [:]
            var late: [CurlCommand] = []
            inbox.take(into: &late)
            for command in late {
                if case .start(let exchange) = command { refuse(exchange, URLError(.cancelled)) }
            }
        }

        /// The one end of every exchange.
        private func finish(_ slot: CurlSlot, _ outcome: TransportOutcome) {
            var events = slot.takeEvents()
            events.outcome = outcome
            guard let exchange = slot.end() else { return }
            busy[ObjectIdentifier(exchange)] = nil
            queue.leave(exchange, isMultiplexing: outcome.metrics.version == "HTTP/2")
            left.append(exchange)
            outbox.append((exchange, events))
        }

        private func release(_ slot: CurlSlot) {
            unsafe _ = ccurl_multi_remove_handle(multi, slot.easy.raw)
            if idle.count < Self.mostIdle, slot.renew() { idle.append(slot) }
        }
    }

    // MARK: Callbacks

    extension CurlLoop {
        private static func loop(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
            unsafe context.map { unsafe Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
        }

        private func watch(_ socket: Int32, _ what: Int32) {
            switch Int(what) {
            case CCURL_POLL_REMOVE: sockets.forget(socket)
            default:
                sockets.watch(
                    socket, reading: Int(what) & CCURL_POLL_IN != 0, writing: Int(what) & CCURL_POLL_OUT != 0)
            }
        }

        private func setTimer(_ milliseconds: Int) {
            timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        }
    }
#endif
