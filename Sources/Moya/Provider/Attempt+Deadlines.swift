import Foundation
import Synchronization

extension Attempt {
    /// Starts the timers.
    ///
    /// A stub has no idle deadline.
    func watch(_ timeouts: Timeouts) {
        if let total = timeouts.total {
            let timer = execution.context.scheduler.schedule(after: total) { [self] in
                timeOut("it took longer than \(total.inSeconds) in all")
            }
            store(timer, \.totalTimer)
        }
        guard !execution.context.isStubbed else { return }
        noteActivity()
        if let idle = timeouts.idle { watch(idle, after: idle) }
    }

    func noteActivity() {
        lastActivity.store(execution.context.scheduler.now.nanoseconds, ordering: .relaxed)
    }

    /// One timer for the whole exchange: when it fires, it is scheduled again for the rest since the last activity.
    private func watch(_ idle: Duration, after delay: Duration) {
        let timer = execution.context.scheduler.schedule(after: delay) { [self] in
            let quiet = execution.context.scheduler.now - .nanoseconds(lastActivity.load(ordering: .relaxed))
            if isBusy {
                watch(idle, after: idle)
            } else if quiet >= idle {
                timeOut("nothing was sent or received for \(idle.inSeconds)")
            } else {
                watch(idle, after: idle - quiet)
            }
        }
        store(timer, \.idleTimer)
    }

    /// Whether a receiver, a callback or the disk handles content: the server is not idle meanwhile.
    private var isBusy: Bool {
        unacknowledged.load(ordering: .relaxed) > 0 || state.withLock { $0.completion.isCalling }
    }

    /// - Parameter reason: which deadline has passed, after how long.
    private func timeOut(_ reason: String) {
        let error = URLError(.timedOut, "the request for \(execution.context.target.nameForLogs) timed out: \(reason)")
        // Closing and removing a file may wait for the disk, and other deadlines for this scheduler.
        guard download != nil, !execution.context.isStubbed else { return finish(TransportOutcome(error: error)) }
        (DispatchScheduler.deliveries as DispatchScheduler).schedule { [self] in
            finish(TransportOutcome(error: error))
        }
    }

    /// Stores a timer to be cancelled at the end; cancels it if the end has come.
    private func store(_ timer: any Cancellable, _ slot: any WritableKeyPath<State, (any Cancellable)?> & Sendable) {
        let (isOver, former) = state.withLock { state in
            defer { if !state.completion.isCompleted { state[keyPath: slot] = timer } }
            return (state.completion.isCompleted, state[keyPath: slot])
        }
        if isOver { timer.cancel() }
        // Released after unlocking: it is an object of the scheduler.
        withExtendedLifetime(former) {}
    }
}

extension Scheduler where Self == DispatchScheduler {
    /// The queue on which user code handles responses: it must not hold up the thread of a transport.
    static var deliveries: DispatchScheduler { .queue(.global()) }
}
