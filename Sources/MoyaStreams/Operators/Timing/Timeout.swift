/// The error of a stream that has sent no value within the time limit.
public struct StreamTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// The time limit that has passed.
    public let duration: Duration

    /// A description on one line.
    public var description: String { "the stream sent no value within \(duration)" }
}

extension Subscribable {
    /// Fails if no value arrives within a duration after the subscription or after the previous value.
    ///
    /// ```text
    /// source:                   a-b-----c|
    /// timeout(after: 3 ms):     a-b--#
    /// ```
    /// Fails with a ``StreamTimeout``. If the timer runs late, a value or completion that arrives after the deadline
    /// also fails the stream. With a duration of zero, the source has until the next work of the scheduler.
    public func timeout(after duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        timeout(after: duration, on: scheduler, StreamTimeout(duration: duration))
    }

    /// Continues with another stream if no value arrives within a duration.
    ///
    /// ```text
    /// source:                                  a-b-----c|
    /// other:                                   xy|
    /// timeout(after: 3 ms, switchTo: other):   a-b--xy|
    /// ```
    /// The source is released before `other` is subscribed. A failure of the source is not caught. In all other
    /// respects, this operator behaves like ``timeout(after:on:)``.
    ///
    /// ```swift
    /// live.timeout(after: .seconds(5), switchTo: cached, on: .background)
    /// ```
    public func timeout(
        after duration: Duration, switchTo other: some Subscribable<Element>, on scheduler: any Scheduler
    ) -> Observable<Element> {
        timeout(after: duration, on: scheduler, SwitchAfterTimeout()).catch { [other = other.observable] error in
            error is SwitchAfterTimeout ? other : .error(error)
        }
    }

    private func timeout(
        after duration: Duration, on scheduler: any Scheduler, _ error: any Error
    ) -> Observable<Element> {
        timed(OperatorTimer(), on: scheduler) { timer, event, observer, coordinator in
            switch event {
            case .due(let number) where number > 0:
                if timer.hasFired(number) { observer.lifetime.fail(error) }
                return
            case .due: break
            case .next(let element, let now):
                if duration > .zero, timer.isOverdue(at: now) { return observer.lifetime.end(error) }
                observer.send(element)
            case .end(nil, let now) where duration > .zero && timer.isOverdue(at: now):
                return observer.lifetime.fail(error)
            case .end(let failure, _): return observer.lifetime.end(failure)
            }
            // The time limit begins after the delivery, so that the time that the observer takes does not count.
            timer.start(at: scheduler.now, for: duration, on: scheduler, coordinator)
        }
    }
}

private struct SwitchAfterTimeout: Error {}
