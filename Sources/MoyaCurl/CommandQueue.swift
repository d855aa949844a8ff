#if os(Linux)
    import CMoyaCurl
    import Foundation

    enum CurlCommand: Sendable {
        case start(CurlExchange)
        /// Reports the cancellation of an exchange that was not started.
        case reportCancelled(CurlExchange)
        case cancel(CurlExchange)
        case connectTimedOut(CurlExchange)
        case checkSending(CurlExchange, since: Int64)
        case acknowledge(CurlExchange, Int)
        case resumeSending(CurlExchange)
        case stop
    }

    // The commands for an event loop. To save system calls, the event is signaled only if the loop is blocked.
    final class CommandQueue<Command: Sendable>: Sendable {
        private struct State: Sendable {
            enum Loop {
                /// The loop takes the commands before it blocks again.
                case running
                case blocked, closed
            }

            var commands: [Command] = []
            var loop = Loop.running
        }

        // Both are made before the thread of the loop starts, so that errors are thrown to the caller. The waits of the
        // epoll instance return each time the event is signaled.
        let epoll: FileHandle
        private let wakeUpEvent: FileHandle
        private let state = Locked(State())

        init() throws(TransportError) {
            wakeUpEvent = try FileHandle(cepoll_event_create(), of: "eventfd")
            epoll = try FileHandle(cepoll_create(), of: "epoll_create1")
            cepoll_watch_event(epoll.fileDescriptor, wakeUpEvent.fileDescriptor)
        }

        /// Enqueues a command and returns `true`; after ``close()``, does nothing and returns `false`.
        @discardableResult
        func send(_ command: Command) -> Bool {
            let previous = state.withLock { state in
                guard state.loop != .closed else { return State.Loop.closed }
                state.commands.append(command)
                return exchange(&state.loop, with: .running)
            }
            if previous == .blocked { cepoll_event_signal(wakeUpEvent.fileDescriptor) }
            return previous != .closed
        }

        /// Moves the enqueued commands to `commands`, which must be empty; the queue reuses the storage of that array.
        func take(into commands: inout [Command]) {
            state.withLock { state in
                state.loop = .running
                swap(&state.commands, &commands)
            }
        }

        /// Returns `true` if nothing is enqueued, so the loop may block; the next command then wakes it up.
        func prepareToBlock() -> Bool {
            state.withLock { state in
                guard state.commands.isEmpty else { return false }
                state.loop = .blocked
                return true
            }
        }

        func close() -> [Command] {
            state.withLock { state in
                state.loop = .closed
                return exchange(&state.commands, with: [])
            }
        }
    }
#endif
