#if os(Linux)
    import CMoyaCurl

    /// A libcurl multi handle: a set of transfers and their connections, used on the thread of its event loop only.
    ///
    /// SAFETY, for every `unsafe` in this file: `raw` is valid from `init` to ``cleanUp()``. No method is called after
    /// ``cleanUp()``. The event loop retains this object until ``cleanUp()`` has returned. libcurl calls the
    /// callbacks for sockets and timers on the thread of the event loop, with this object as their context.
    @safe
    final class MultiHandle: CallbackContext {
        /// The time at which libcurl must be called even if no socket is ready, or `nil` if libcurl has set no timer.
        private(set) var deadline: ContinuousClock.Instant?
        private let sockets: SocketSet
        private let raw: UnsafeMutableRawPointer?

        /// The limits of connections to a host, and of those that stay open for later requests; 0 is unlimited.
        init(_ sockets: SocketSet, perHost: Int = 0, total: Int = 0) {
            self.sockets = sockets
            unsafe raw = ccurl_multi_init()
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe ccurl_multi_set_callbacks(
                raw,
                { easy, socket, what, context, _ in
                    unsafe MultiHandle.from(context)?.watch(socket, what)
                    if let easy = unsafe easy, let transfer = unsafe CurlTransfer.owner(of: easy) {
                        transfer.watches(socket, Int(what) != CCURL_POLL_REMOVE)
                    }
                    return 0
                },
                { _, milliseconds, context in
                    unsafe MultiHandle.from(context)?.deadline =
                        milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
                    return 0
                }, context)
            unsafe _ = ccurl_multi_set_long(raw, Int32(CCURLMOPT_MAXCONNECTS), total)
            unsafe _ = ccurl_multi_set_long(raw, Int32(CCURLMOPT_MAX_HOST_CONNECTIONS), perHost)
            unsafe _ = ccurl_multi_set_long(raw, Int32(CCURLMOPT_PIPELINING), CCURLPIPE_MULTIPLEX)
            unsafe _ = ccurl_multi_set_long(
                raw, Int32(CCURLMOPT_MAX_CONCURRENT_STREAMS), LoadBalancer<CurlExchange>.streamsPerConnection)
        }

        /// Closes all connections; all transfers must have been removed.
        func cleanUp() {
            unsafe _ = ccurl_multi_cleanup(raw)
        }

        func add(_ easy: EasyHandle) -> Bool {
            unsafe ccurl_multi_add_handle(raw, easy.raw) == 0
        }

        func remove(_ easy: EasyHandle) {
            unsafe _ = ccurl_multi_remove_handle(raw, easy.raw)
        }

        func process(_ ready: cepoll_ready) {
            var events = ready.can_read != 0 ? CCURL_CSELECT_IN : 0
            if ready.can_write != 0 { events |= CCURL_CSELECT_OUT }
            process(ready.descriptor, Int32(events))
        }

        /// The maximum time that the loop may block, in milliseconds; -1 for no limit.
        func timeout(_ queue: CommandQueue<some Sendable>) -> Int32 {
            guard let deadline else { return queue.prepareToBlock() ? -1 : 0 }
            let remaining = ContinuousClock.now.duration(to: deadline).nanoseconds
            guard remaining > 0, queue.prepareToBlock() else { return 0 }
            return Int32(clamping: (remaining + 999_999) / 1_000_000)
        }

        func processTimers() -> Bool {
            guard let deadline, deadline <= .now else { return false }
            self.deadline = nil
            process(Int32(CCURL_SOCKET_TIMEOUT), 0)
            return true
        }

        /// Returns the next handle that has finished, with its transfer if it has one.
        func nextFinished() -> (id: UInt, transfer: CurlTransfer?, code: Int32)? {
            var code: Int32 = 0
            guard let easy = unsafe ccurl_multi_next_done(raw, &code) else { return nil }
            return unsafe (UInt(bitPattern: easy), CurlTransfer.owner(of: easy), code)
        }

        private func process(_ socket: Int32, _ events: Int32) {
            var running: Int32 = 0
            unsafe _ = ccurl_multi_socket_action(raw, socket, events, &running)
        }

        private func watch(_ socket: Int32, _ what: Int32) {
            guard Int(what) != CCURL_POLL_REMOVE else { return sockets.unwatch(socket) }
            sockets.watch(socket, reading: Int(what) & CCURL_POLL_IN != 0, writing: Int(what) & CCURL_POLL_OUT != 0)
        }
    }
#endif
