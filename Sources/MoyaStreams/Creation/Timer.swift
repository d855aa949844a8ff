import Synchronization

extension Observable where Element == Int {
    /// Returns a stream that sends `0` after a delay, then completes.
    ///
    /// ```text
    /// timer(after: 3 ms):  ---(0|)
    /// ```
    /// Delivers its events on `scheduler`.
    public static func timer(after delay: Duration, on scheduler: any Scheduler) -> Observable {
        .withToken { emitter in
            scheduler.scheduleTimer(after: delay) {
                emitter.send(0)
                emitter.complete()
            }
        }
    }

    /// Returns a stream that sends `0`, `1`, `2` and so on, one after each interval, and never completes.
    ///
    /// ```text
    /// interval(2 ms):  --0-1-2-
    /// ```
    /// The period does not drift. Periods that pass while the scheduler is held up, or while an observer takes longer
    /// than the interval, are skipped: one value is sent late, and the count continues with the next number. Delivers
    /// its events on `scheduler`.
    public static func interval(_ interval: Duration, on scheduler: any Scheduler) -> Observable {
        .withToken { emitter in
            let count = Atomic(0)
            return scheduler.schedule(every: interval, while: { !emitter.isTerminated }) {
                emitter.send(count.wrappingAdd(1, ordering: .relaxed).oldValue)
            }
        }
    }
}
