import Foundation
import Synchronization

extension Attempt {
    /// Starts the timer of the total deadline.
    func watchTotal(_ total: Duration) {
        let timer = execution.context.scheduler.schedule(after: total) { [self] in
            timeOut("it took longer than \(total.inSeconds) in all")
        }
        store(timer, \.totalTimer)
    }

    func noteActivity() {
        lastActivity.store(execution.context.scheduler.now.nanoseconds, ordering: .relaxed)
    }

    /// Schedules the idle timer.
    ///
    /// The timer is not rescheduled for each batch. If it fires although a batch has arrived in the meantime, it is scheduled
    /// again for the remaining idle time.
    func watchIdle(_ idle: Duration, after delay: Duration) {
        let timer = execution.context.scheduler.schedule(after: delay) { [self] in
            let quiet = execution.context.scheduler.now - .nanoseconds(lastActivity.load(ordering: .relaxed))
            if isBusy {
                watchIdle(idle, after: idle)
            } else if quiet >= idle {
                timeOut("nothing was sent or received for \(idle.inSeconds)")
            } else {
                watchIdle(idle, after: idle - quiet)
            }
        }
        store(timer, \.idleTimer)
    }

    /// Whether a receiver, a callback or the file system is still handling received content.
    ///
    /// The idle deadline does not apply in the meantime, because the server is not the cause of the delay.
    private var isBusy: Bool {
        unacknowledged.load(ordering: .relaxed) > 0 || state.withLock { $0.completion.isCalling }
    }

    /// Ends the attempt with a timeout error.
    ///
    /// - Parameter reason: the end of the error's description, which names the deadline that has passed.
    private func timeOut(_ reason: String) {
        let error = URLError(.timedOut, "the request for \(execution.context.target.nameForLogs) timed out: \(reason)")
        // Closing and removing a file may block, which would delay the other timers of this scheduler.
        guard download != nil, !execution.context.isStubbed else { return finish(TransportOutcome(error: error)) }
        (DispatchScheduler.deliveries as DispatchScheduler).schedule { [self] in
            finish(TransportOutcome(error: error))
        }
    }

    /// Stores a timer, which is cancelled when the attempt ends, or at once if the attempt has already ended.
    private func store(_ timer: any Cancellable, _ slot: any WritableKeyPath<State, (any Cancellable)?> & Sendable) {
        let (isOver, former) = state.withLock { state in
            defer { if !state.completion.isCompleted { state[keyPath: slot] = timer } }
            return (state.completion.isCompleted, state[keyPath: slot])
        }
        if isOver { timer.cancel() }
        // The former timer is released after unlocking, because its deinitialiser may be code of the caller's scheduler.
        withExtendedLifetime(former) {}
    }
}

extension Scheduler where Self == DispatchScheduler {
    /// The queue that runs the caller's closures for responses, so that they do not block the thread of a transport.
    static var deliveries: DispatchScheduler { .queue(.global()) }
}
