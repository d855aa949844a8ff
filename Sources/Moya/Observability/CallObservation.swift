import Synchronization

final class CallEventDelivery: Sendable {
    fileprivate let observers: [any CallObserver]
    fileprivate let clock: any Scheduler
    fileprivate let queue: SerialDelivery<@Sendable () -> Void>
    fileprivate let pending = Atomic<Int>(0)

    init?(_ observers: [any CallObserver], _ clock: any Scheduler) {
        guard !observers.isEmpty else { return nil }
        self.observers = observers
        self.clock = clock
        // A `DispatchScheduler` is replaced by a global queue, so that slow observers don't delay timers and callbacks.
        let scheduler: any Scheduler = clock is DispatchScheduler ? DispatchScheduler.deliveries : clock
        queue = SerialDelivery(on: scheduler) { $0() }
    }
}

// Reports a call's steps to the observers, from any thread. The thread must hold no lock, because reporting calls a
// scheduler, which may be user code.
final class CallObservation: Sendable {
    private let delivery: CallEventDelivery
    private let call: UInt64
    private let target: TargetLabel
    private let context: Boxed<any Sendable>?
    private let builder = Locked(CallEventBuilder())

    init(of call: UInt64, _ target: any RelativeTarget, _ context: Boxed<any Sendable>?, by delivery: CallEventDelivery)
    {
        self.call = call
        self.target = TargetLabel(target)
        self.context = context
        self.delivery = delivery
    }

    /// Reports a step of an attempt; `attempt` is 0 for a step of the whole call.
    func report(_ step: CallStep, attempt: Int = 0) {
        delivery.pending.wrappingAdd(1, ordering: .relaxed)
        let time = delivery.clock.now
        delivery.queue.post { [self] in
            let backlog = delivery.pending.wrappingSubtract(1, ordering: .relaxed).newValue
            let entries = builder.withLock { $0.events(for: step, attempt: attempt, at: time) }
            for (index, entry) in entries.enumerated() {
                let event = CallEvent(
                    call: call, target: target, attempt: entry.attempt, exchange: entry.exchange, time: time,
                    context: context?.value, backlog: backlog + entries.count - 1 - index, kind: entry.kind)
                for observer in delivery.observers { observer.observe(event) }
            }
        }
    }
}
