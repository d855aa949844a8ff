import MoyaScheduling
public import MoyaStreams

/// The errors of RxSwift's operators.
@available(*, deprecated, message: "MoyaStreams fails with StreamError and StreamTimeout")
public enum RxError: Error, Sendable, Hashable {
    /// Not sent by this package.
    case unknown
    /// The subject was disposed of.
    case disposed(object: String)
    /// A number overflowed.
    case overflow
    /// There is no value with this index.
    case argumentOutOfRange
    /// The stream completed without a value.
    case noElements
    /// The stream sent more than one value.
    case moreThanOneElement
    /// No event arrived in time.
    case timeout
}

// RxSwift's behavior where MoyaStreams differs.
extension ObservableType {
    /// Sends the only value at once, and fails if there is none or a second one.
    @available(*, deprecated, message: "single() of MoyaStreams sends at the end, and fails with StreamError")
    public func single() -> Observable<Element> {
        plain.enumerated().map { index, element in
            guard index == 0 else { throw RxError.moreThanOneElement }
            return element
        }.ifEmpty(switchTo: .error(RxError.noElements))
    }

    /// Sends the only value that satisfies a condition, and fails if there is none or a second one.
    @available(*, deprecated, message: "use filter(_:) and single(), which sends the value after the end")
    @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        plain.filter(predicate).single()
    }

    /// Sends the value with an index, and fails if the stream completes before.
    @available(*, deprecated, message: "element(at:) of MoyaStreams completes without a value if there is none")
    public func element(at index: Int) -> Observable<Element> {
        plain.element(at: index).ifEmpty(switchTo: .error(RxError.argumentOutOfRange))
    }

    /// Sends the value with an index, and fails if the stream completes before.
    @available(*, deprecated, renamed: "element(at:)")
    public func elementAt(_ index: Int) -> Observable<Element> { element(at: index) }

    /// Sends the first value, or `nil` if the stream completes without a value.
    @available(*, deprecated, message: "first() of MoyaStreams fails if there is no value; await it, or use take(1)")
    public func first() -> PrimitiveSequence<SingleTrait, Element?> {
        PrimitiveSequence(plain.take(1).map(Optional.some).ifEmpty(default: nil))
    }

    /// Sends the terminal event alone.
    @available(*, deprecated, message: "ignoreElements() of MoyaStreams keeps the type of the values")
    public func ignoreElements() -> Observable<Never> { observable.withoutElements() }

    /// Fails with `RxError.timeout` if no value arrives for `dueTime`.
    @available(*, deprecated, message: "use timeout(after:on:), which fails with StreamTimeout")
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        plain.timeout(after: dueTime, switchTo: Observable<Element>.error(RxError.timeout), on: scheduler)
    }

    /// Continues with another stream if no value arrives for `dueTime`.
    @available(*, deprecated, renamed: "timeout(after:switchTo:on:)")
    public func timeout(
        _ dueTime: Duration, other: some Subscribable<Element>, scheduler: any Scheduler
    ) -> Observable<Element> { plain.timeout(after: dueTime, switchTo: other.observable, on: scheduler) }

    /// Converts the stream to a `Single`, which fails unless the stream sends exactly one value.
    @available(*, deprecated, renamed: "single()")
    public func asSingle() -> PrimitiveSequence<SingleTrait, Element> {
        asMaybe().observable.ifEmpty(switchTo: .error(RxError.noElements)).sequence()
    }

    /// Sends the latest value of another stream for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: some Subscribable<Other>) -> Observable<Other> {
        plain.withLatestFrom(second, resultSelector: { $1 })
    }

    /// Delivers on a scheduler.
    @available(*, deprecated, message: "the same in MoyaStreams, which releases a completed source at once")
    public func observe(on scheduler: any Scheduler) -> Observable<Element> { plain.observe(on: scheduler) }

    /// Subscribes on a scheduler, and disposes there, too.
    @available(*, deprecated, message: "subscribe(on:) of MoyaStreams cancels the source on the cancelling thread")
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        .withToken { [source = observable] emitter in
            let subscription = source.plain.subscribe(on: scheduler).subscribe { emitter.send(event: $0) }
            return ScheduledDisposable(scheduler: scheduler, disposable: subscription)
        }
    }

    /// Sends values after a trigger has sent one; if it never does, the stream does not complete.
    @available(*, deprecated, message: "skip(until:) of MoyaStreams completes with its source, also before the trigger")
    public func skip<Trigger: Sendable>(until trigger: some Subscribable<Trigger>) -> Observable<Element> {
        .deferred { [source = observable] in
            let isOpen = OneShotFlag()
            let opening = trigger.observable.handleEvents(onNext: { _ in _ = isOpen.setIfUnset() })
            return source.plain.skip(until: opening)
                .concat(Observable<Element>.deferred { isOpen.isSet ? .empty() : .never() })
        }
    }
}
