public import MoyaStreams

/// The trait of a ``PrimitiveSequence`` of exactly one value.
public enum SingleTrait: Sendable {}
/// The trait of a ``PrimitiveSequence`` of at most one value.
public enum MaybeTrait: Sendable {}
/// The trait of a ``PrimitiveSequence`` without values.
public enum CompletableTrait: Sendable {}

/// A stream whose number of values is part of its type: RxSwift's `Single`, `Maybe` or `Completable`.
///
/// The type parameter `Trait` states the number of values. The property ``observable`` is the wrapped stream.
public struct PrimitiveSequence<Trait: Sendable, Element: Sendable>: Subscribable {
    /// The stream without the trait.
    public let observable: Observable<Element>

    /// Creates a sequence from a stream, which must send the number of values that `Trait` permits.
    init(_ observable: Observable<Element>) { self.observable = observable }
}

extension Observable {
    func sequence<Trait>() -> PrimitiveSequence<Trait, Element> { PrimitiveSequence(self) }
}

/// A stream of exactly one value.
@available(*, deprecated, renamed: "Observable", message: "first() and value() await the value of an Observable")
public typealias Single<Element: Sendable> = PrimitiveSequence<SingleTrait, Element>

/// A stream of at most one value.
@available(*, deprecated, renamed: "Observable")
public typealias Maybe<Element: Sendable> = PrimitiveSequence<MaybeTrait, Element>

/// A stream without values.
@available(*, deprecated, message: "use ignoreElements(), which keeps the type of the values in MoyaStreams")
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// The only event of a `Single`: the value or the failure.
@available(*, deprecated, message: "use Result, or the Event of an Observable")
public typealias SingleEvent<Element: Sendable> = Result<Element, any Error>

/// The only event of a `Maybe`.
public enum MaybeEvent<Element: Sendable>: Sendable {
    /// The value.
    case success(Element)
    /// The failure.
    case error(any Error)
    /// The end without a value.
    case completed
}

/// The only event of a `Completable`.
public enum CompletableEvent: Sendable {
    /// The failure.
    case error(any Error)
    /// The completion.
    case completed
}

// These members exist for all traits. A `Completable` sends no values, so its `map`, `flatMap`, `filter` and
// `compactMap` never call their closures.
extension PrimitiveSequence {
    /// Returns a sequence that sends `element` and completes.
    public static func just(_ element: Element) -> Self { Self(.just(element)) }
    /// Returns a sequence that fails with `error`.
    public static func error(_ error: any Error) -> Self { Self(.error(error)) }
    /// Returns a sequence without events.
    public static func never() -> Self { Self(.never()) }

    /// Calls `factory` for each subscription, and sends the events of the sequence that `factory` returns.
    @preconcurrency public static func deferred(
        _ factory: @escaping @Sendable () throws -> Self
    ) -> Self { Self(.deferred { try factory().observable }) }

    /// Transforms the value.
    @preconcurrency public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output
    ) -> PrimitiveSequence<Trait, Output> { PrimitiveSequence<Trait, Output>(observable.map(transform)) }

    /// Continues with the sequence that `transform` returns for the value.
    @preconcurrency public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> PrimitiveSequence<Trait, Output>
    ) -> PrimitiveSequence<Trait, Output> { observable.flatMap { try transform($0).observable }.sequence() }

    /// Sends the value only if `isIncluded` returns true for the value.
    @preconcurrency public func filter(
        _ isIncluded: @escaping @Sendable (Element) throws -> Bool
    ) -> PrimitiveSequence<MaybeTrait, Element> { observable.filter(isIncluded).sequence() }

    /// Transforms the value; completes without a value if `transform` returns `nil`.
    @preconcurrency public func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output?
    ) -> PrimitiveSequence<MaybeTrait, Output> { observable.compactMap(transform).sequence() }

    /// Delivers the events on `scheduler`.
    public func observe(on scheduler: any Scheduler) -> Self { Self(observable.plain.observe(on: scheduler)) }
    /// Subscribes to the source on `scheduler`.
    public func subscribe(on scheduler: any Scheduler) -> Self { Self(observable.plain.subscribe(on: scheduler)) }
    /// Delivers the events on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any Scheduler) -> Self { observe(on: scheduler) }
    /// Subscribes to the source on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any Scheduler) -> Self { subscribe(on: scheduler) }

    /// When the source fails, continues with the sequence that `handler` returns for the error.
    @preconcurrency public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> Self
    ) -> Self { Self(observable.catch { try handler($0).observable }) }

    /// When the source fails, continues with the sequence that `handler` returns for the error.
    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> Self
    ) -> Self { `catch`(handler) }

    /// Sends `element` and completes when the source fails.
    public func catchAndReturn(_ element: Element) -> Self { Self(observable.catchAndReturn(element)) }
    /// Sends `element` and completes when the source fails.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Self { catchAndReturn(element) }
    /// Subscribes to the source again when it fails, without a limit.
    @available(*, deprecated, message: "use retry(_:on:) with a RetryPolicy, which has delays and a limit")
    public func retry() -> Self { Self(observable.retry(times: .max)) }
    /// Subscribes to a failed source again, with at most `maxAttemptCount` subscriptions in all.
    @available(*, deprecated, message: "retry(3) of RxSwift is retry(times: 2), which counts retries")
    public func retry(_ maxAttemptCount: Int) -> Self { Self(observable.attempting(maxAttemptCount)) }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "use retry(when:) of the observable, which passes each error")
    @preconcurrency public func retry<Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Self { Self(observable.retrying(when: handler)) }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "use retry(when:) of the observable, which passes each error")
    @_disfavoredOverload
    @preconcurrency public func retry<Failure: Error, Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<Failure>) throws -> Notice
    ) -> Self { Self(observable.retry(when: handler)) }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "use retry(when:) of the observable, which passes each error")
    @preconcurrency public func retryWhen<Notice: Subscribable>(
        _ handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Self { Self(observable.retrying(when: handler)) }

    /// Delivers the events after a delay.
    @available(*, deprecated, renamed: "delay(for:on:)")
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(observable.delay(for: dueTime, on: scheduler))
    }

    /// Fails with `RxError.timeout` if the source sends no event for `dueTime`.
    @available(*, deprecated, renamed: "timeout(after:on:)")
    public func timeout(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(observable.timeout(after: dueTime, switchTo: Observable<Element>.error(RxError.timeout), on: scheduler))
    }

    /// Prints the events with a label.
    public func debug(_ label: String = "sequence") -> Self { Self(observable.debug(label)) }
    /// The sequence as an observable without a trait.
    @available(*, deprecated, message: "use the property observable, without parentheses")
    public func asObservable() -> Observable<Element> { observable }

    /// Subscribes after a duration.
    @available(*, deprecated, renamed: "delaySubscription(for:on:)")
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(observable.delaySubscription(for: dueTime, on: scheduler))
    }

    /// Continues with another sequence if no event arrives for `dueTime`.
    @available(*, deprecated, renamed: "timeout(after:switchTo:on:)")
    public func timeout(
        _ dueTime: Duration, other: Self, scheduler: any Scheduler
    ) -> Self { Self(observable.timeout(after: dueTime, switchTo: other.observable, on: scheduler)) }

    /// Returns a sequence with a resource, which is disposed of at the end.
    @available(*, deprecated, renamed: "using(_:stream:close:)")
    @preconcurrency public static func using<Resource: Cancellable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> Self
    ) -> Self {
        Self(
            .using(resourceFactory, stream: { try primitiveSequenceFactory($0).observable }, close: { $0.cancel() }))
    }

    /// Sends the events of the sequence that is first to send one.
    @available(*, deprecated, message: "use Observable.race(_:)")
    public static func amb(_ sequence: some Sequence<Self>) -> Self { Self(.race(sequence.map(\.observable))) }

    /// Drops the value.
    @available(*, deprecated, message: "use ignoreElements()")
    public func asCompletable() -> PrimitiveSequence<CompletableTrait, Never> {
        observable.withoutElements().sequence()
    }

    /// The same value as a `Maybe`.
    @available(*, deprecated, message: "leave it out: streams have no traits")
    public func asMaybe() -> PrimitiveSequence<MaybeTrait, Element> { observable.sequence() }
}
