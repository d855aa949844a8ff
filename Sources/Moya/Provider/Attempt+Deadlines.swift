import Foundation
import Synchronization

extension Attempt {
    /// Starts the timer that ends the attempt with a timeout error after `limit`.
    func watchLimit(_ limit: Duration) {
        let timer = execution.scheduler.schedule(after: limit) { [self] in
            timeOut("the attempt took longer than \(limit.inSeconds)")
        }
        store(timer, \.limitTimer)
    }

    @discardableResult
    func noteActivity() -> Duration {
        let now = execution.scheduler.now
        lastActivity.store(now.nanoseconds, ordering: .relaxed)
        return now
    }

    /// Starts the idle deadline, unless the attempt has ended or the head of the response has arrived already.
    func watchIdle(for request: TransportRequest, from start: Duration) {
        let isEventStream = execution.sink != nil && request.acceptsEventStreamOnly
        let idle = state.withLock { state -> Duration? in
            guard !state.completion.isCompleted, !state.isIdleTimeoutFinal else { return nil }
            state.idleTimeout = idleTimeout(state.timeouts, isEventStream: isEventStream)
            return state.idleTimeout
        }
        if let idle { watchIdle(after: idle, from: start) }
    }

    /// Starts or ends the idle deadline when the head shows whether a streamed response is an event stream.
    func watchIdle(of head: ResponseHead) {
        // The content of a refused response is not delivered as it arrives, so that its end must come in time.
        let isEventStream = head.isEventStream && execution.validation.accepts(head.statusCode)
        let idle = state.withLock { state -> Duration? in
            let former = state.idleTimeout
            state.isIdleTimeoutFinal = true
            state.idleTimeout = idleTimeout(state.timeouts, isEventStream: isEventStream)
            return former == nil ? state.idleTimeout : nil
        }
        if let idle { watchIdle(after: idle, from: execution.scheduler.now) }
    }

    private func idleTimeout(_ timeouts: Timeouts, isEventStream: Bool) -> Duration? {
        guard isEventStream, let sink = execution.sink else { return timeouts.idle }
        return timeouts.eventStreamIdle(unset: sink.eventStreamIdle)
    }

    /// Starts a timer that checks the idle deadline `delay` after `now`.
    ///
    /// If the deadline has not passed, the check starts another timer for the remaining time. A new timer for each
    /// batch of data would cost more.
    func watchIdle(after delay: Duration, from now: Duration) {
        idleWakeUp.store((now + delay).nanoseconds, ordering: .relaxed)
        // A closure that captures only `self` needs no allocation.
        store(execution.scheduler.schedule(after: delay) { [self] in checkIdle() }, \.idleTimer)
    }

    private func checkIdle() {
        guard let idle = state.withLock({ $0.idleTimeout }) else { return }
        let now = execution.scheduler.now
        let last = lastActivity.load(ordering: .relaxed)
        let quiet = now - .nanoseconds(last)
        if isBusy {
            watchIdle(after: idle, from: now)
        } else if quiet < idle {
            watchIdle(after: idle - quiet, from: now)
        } else if extendsSilence(since: last, idle, now) {
            watchIdle(after: idle, from: now)
        } else {
            timeOut("nothing was sent or received for \(idle.inSeconds)")
        }
    }

    /// Whether the attempt gets another idle period, because the wake-up is late; at most once for each silence.
    ///
    /// A late wake-up means that the process was suspended. Bytes that have arrived meanwhile may still wait in the
    /// socket, and reading them restarts the idle period.
    private func extendsSilence(since last: Int64, _ idle: Duration, _ now: Duration) -> Bool {
        let lateness = now - .nanoseconds(idleWakeUp.load(ordering: .relaxed))
        guard lateness > min(idle / 2, .seconds(1)) else { return false }
        return state.withLock { state in
            defer { state.extendedSilence = last }
            return state.extendedSilence != last
        }
    }

    /// Whether a receiver, a callback or the file system is still handling received content.
    ///
    /// While this is `true`, the idle deadline does not apply, because the server does not cause the delay.
    private var isBusy: Bool {
        unacknowledged.load(ordering: .relaxed) > 0 || state.withLock { $0.completion.isCalling }
    }

    /// Ends the attempt with a timeout error.
    ///
    /// - Parameter reason: the last part of the error's description; it names the deadline that has passed.
    func timeOut(_ reason: String) {
        let error = URLError(timeoutOf: execution.target, reason)
        // A download is ended on another queue, because closing or removing its file may block and delay other timers.
        guard download != nil, !execution.isStubbed else { return finish(TransportOutcome(error: error)) }
        execution.providerContext.deliveryScheduler.schedule { [self] in
            finish(TransportOutcome(error: error))
        }
    }

    /// Stores a timer, so that the end of the attempt cancels the timer.
    ///
    /// If the attempt has already ended, cancels the timer at once.
    private func store(_ timer: any Cancellable, _ slot: any WritableKeyPath<State, (any Cancellable)?> & Sendable) {
        let (isOver, former) = state.withLock { state in
            defer { if !state.completion.isCompleted { state[keyPath: slot] = timer } }
            return (state.completion.isCompleted, state[keyPath: slot])
        }
        if isOver { timer.cancel() }
        // The former timer is released here, outside the lock, because its `deinit` may be code of a user's scheduler.
        withExtendedLifetime(former) {}
    }
}

extension URLError {
    /// Creates the error of a request that exceeds a limit.
    init(timeoutOf target: any RelativeTarget, _ reason: String) {
        self.init(.timedOut, "the request for \(target.nameForLogs) timed out: \(reason)")
    }
}
