import Foundation
import Synchronization

// Wakes the requests of a provider at their earliest deadline. Cheaper than a timer per request, because most end long
// before. To save wake-ups, one may be late, by a twentieth of its delay and at most 100 ms.
final class DeadlineWatch: Sendable {
    /// The time of the next wake-up, in nanoseconds.
    private let next = Atomic<Int64>(.max)
    private let scheduler: any Scheduler
    private let requests: InFlightRequests

    init(_ requests: InFlightRequests, on scheduler: any Scheduler) {
        self.requests = requests
        self.scheduler = scheduler
    }

    /// Store the deadline in the request's state first: a wake-up resets `next` and then reads the deadlines.
    func watch(_ deadline: Int64, at now: Duration) {
        let delay = max(deadline - now.nanoseconds, 0)
        let due = deadline + min(delay / 20, 100_000_000)
        // A load is cheaper than a `min`, and most deadlines are not the earliest.
        guard due < next.load(ordering: .sequentiallyConsistent),
            due < next.min(due, ordering: .sequentiallyConsistent).oldValue
        else { return }
        scheduler.schedule(after: max(.nanoseconds(due) - now, .zero)) { [weak self] in self?.wakeUp(due) }
    }

    private func wakeUp(_ due: Int64) {
        // An earlier wake-up may have taken the place of this one.
        guard next.compareExchange(expected: due, desired: .max, ordering: .sequentiallyConsistent).exchanged else {
            return
        }
        let now = scheduler.now
        let deadlines = requests.all.map { $0.checkDeadlines(at: now) }
        if let earliest = deadlines.min(), earliest < .max { watch(earliest, at: now) }
    }
}

struct AttemptDeadlines: Sendable {
    /// ``Timeouts/attempt``, and the time at which it has passed, in nanoseconds.
    var limit: (limit: Duration, due: Int64)?
    /// The maximum time without sent or received data; `nil`: no limit.
    var idle: Duration?
    /// The same for a streamed response, depending on whether it is an event stream.
    var idleOfStream: (content: Duration?, events: Duration?)?
    /// The time before which the idle deadline does not pass, in nanoseconds.
    var idleNotBefore: Int64 = 0
    /// The last activity before the silence that was extended because of a late wake-up.
    var extendedSilence: Int64?
}

extension RequestState {
    enum Expiry {
        case call(UInt64, Duration)
        case attempt(Int, Duration)
        case idle(Int, Duration)
    }

    // In nanoseconds; the largest number if none. `activity`: when data was last sent, received or acknowledged.
    mutating func earliestDeadline(after activity: Int64) -> Int64 {
        let due = calls.earliestDue()
        guard isAttemptRunning else { return due }
        return min(due, attempt.deadlines.limit?.due ?? .max, idleDeadline(after: activity) ?? .max)
    }

    private func idleDeadline(after activity: Int64) -> Int64? {
        attempt.deadlines.idle.map { idle in
            max((.nanoseconds(activity) + idle.clamped).nanoseconds, attempt.deadlines.idleNotBefore)
        }
    }

    mutating func takeExpiry(at now: Duration, after activity: Int64) -> Expiry? {
        for id in calls.ids {
            let limit: Duration? = calls.update(id) { call in
                guard let total = call.total, total.due <= now.nanoseconds else { return nil }
                call.total = nil
                return total.limit
            }
            if let limit { return .call(id, limit) }
        }
        guard isAttemptRunning else { return nil }
        if let limit = attempt.deadlines.limit, limit.due <= now.nanoseconds {
            attempt.deadlines.limit = nil
            return .attempt(attempt.number, limit.limit)
        }
        guard let idle = attempt.deadlines.idle, let due = idleDeadline(after: activity), due <= now.nanoseconds else {
            return nil
        }
        if isBusy || extendSilence(since: activity, lateness: now - .nanoseconds(due), idle) {
            attempt.deadlines.idleNotBefore = (now + idle.clamped).nanoseconds
            return nil
        }
        attempt.deadlines.idle = nil
        return .idle(attempt.number, idle)
    }

    /// Whether received content is still being handled: a delay is then not the server's, and the idle deadline is off.
    private var isBusy: Bool { attempt.unacknowledged > 0 || attempt.completion.isCalling }

    /// Grants another idle period, once per silence, after a late wake-up: the process was suspended, and bytes that
    /// arrived meanwhile may still wait in the socket.
    private mutating func extendSilence(since activity: Int64, lateness: Duration, _ idle: Duration) -> Bool {
        guard lateness > min(idle / 2, .seconds(1)), attempt.deadlines.extendedSilence != activity else { return false }
        attempt.deadlines.extendedSilence = activity
        return true
    }

    /// If the earliest deadline has changed, returns the former timer, to be cancelled, and the new one, to be started.
    mutating func replaceTimer(
        after activity: Int64
    ) -> (former: SingleAssignmentCancellable?, new: (SingleAssignmentCancellable, due: Int64)?) {
        let due = earliestDeadline(after: activity)
        guard due != timer?.due ?? .max else { return (nil, nil) }
        let former = timer?.token
        timer = due == .max ? nil : (SingleAssignmentCancellable(), due)
        return (former, timer.map { ($0.token, $0.due) })
    }
}

extension RequestOperation {
    @discardableResult
    func noteActivity() -> Duration {
        let now = scheduler.now
        lastActivity.store(now.nanoseconds, ordering: .relaxed)
        return now
    }

    private var activity: Int64 { lastActivity.load(ordering: .relaxed) }

    func watchDeadlines() {
        if let watch = context.deadlines {
            let due = state.withLock { $0.earliestDeadline(after: activity) }
            if due < .max { watch.watch(due, at: scheduler.now) }
        } else {
            let (former, new) = state.withLock { $0.replaceTimer(after: activity) }
            former?.cancel()
            guard let (token, due) = new else { return }
            token.store(
                scheduler.schedule(after: .nanoseconds(due) - scheduler.now) { [self] in
                    state.withLock { if $0.timer?.token === token { $0.timer = nil } }
                    // A scheduler may run its work at once, whatever the delay.
                    endExpired(at: max(scheduler.now, .nanoseconds(due)))
                })
        }
    }

    // Ends what has exceeded its deadline, on the queue of deliveries. Returns the next deadline in nanoseconds.
    func checkDeadlines(at now: Duration) -> Int64 {
        let due = state.withLock { $0.earliestDeadline(after: activity) }
        guard due <= now.nanoseconds else { return due }
        context.deliveryScheduler.schedule { [self] in endExpired(at: now) }
        return .max
    }

    private func endExpired(at now: Duration) {
        while let expiry = state.withLock({ $0.takeExpiry(at: now, after: activity) }) {
            switch expiry {
            case .call(let id, let limit): leave(id, .timedOut(limit))
            case .attempt(let number, let limit): timeOut(number, "the attempt took longer than \(limit.inSeconds)")
            case .idle(let number, let limit):
                let remedy = "Raise Timeouts.idle, or the connectionsPerHost of the transport if requests wait."
                timeOut(number, "nothing was sent or received for \(limit.inSeconds)", remedy)
            }
        }
        watchDeadlines()
    }

    /// Sets the idle deadline of a streamed response when its head shows whether it is an event stream.
    func watchIdle(of head: ResponseHead, isDiscarded: Bool = false) {
        // The content of a refused or discarded response is not delivered as it arrives: its end must come in time.
        let isAccepted = validation.accepts(head.statusCode) && head.statusCode < 400 && !isDiscarded
        let hasChanged = state.withLock { state in
            guard let idles = state.attempt.deadlines.idleOfStream else { return false }
            let isEventStream =
                head.isEventStream || head.hasNoFields && state.attempt.sent?.acceptsEventStreamOnly == true
            let idle = isAccepted && isEventStream ? idles.events : idles.content
            return exchange(&state.attempt.deadlines.idle, with: idle) != idle
        }
        if hasChanged { watchDeadlines() }
    }

    /// - Parameter reason: the end of the error's description, which names the deadline that has passed.
    func timeOut(_ number: Int, _ reason: String, _ remedy: String? = nil) {
        let outcome = TransportOutcome(error: URLError(timeoutOf: target, reason, remedy))
        // A download is ended on another queue, because closing or removing its file may block and delay other timers.
        guard context.deadlines == nil, endpoint.task.download != nil, !isStubbed else {
            return finish(outcome, attempt: number)
        }
        context.deliveryScheduler.schedule { [self] in finish(outcome, attempt: number) }
    }
}

extension URLError {
    init(timeoutOf target: any RelativeTarget, _ reason: String, _ remedy: String? = nil) {
        self.init(.timedOut, "the request for \(target.nameForLogs) timed out: \(reason)", remedy: remedy)
    }
}
