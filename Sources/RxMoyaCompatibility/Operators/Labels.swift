public import Foundation
public import MoyaStreams

// RxSwift's names and argument labels of operators that MoyaStreams spells differently.

/// Whether the value that ends a stream is sent.
@available(*, deprecated, message: "use the parameter inclusive: of take(while:)")
public enum TakeBehavior: Sendable {
    case inclusive
    case exclusive
}

/// How long `share` keeps its subscription.
@available(*, deprecated, renamed: "ShareScope")
public typealias SubjectLifetimeScope = ShareScope

/// A decoder of `Data`, such as `JSONDecoder`.
@available(*, deprecated, message: "use map(_:) of a stream of responses, or a typed target")
public protocol DataDecoder {
    /// Decodes a value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

@available(*, deprecated) extension JSONDecoder: DataDecoder {}
@available(*, deprecated) extension PropertyListDecoder: DataDecoder {}

extension ObservableType {
    /// Sends each intermediate result.
    @available(*, deprecated, renamed: "scan(_:_:)")
    @preconcurrency public func scan<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> { plain.scan(seed, accumulator) }

    /// Sends each intermediate result, which the closure changes in place.
    @available(*, deprecated, renamed: "scan(into:_:)")
    @preconcurrency public func scan<Result: Sendable>(
        into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) throws -> Void
    ) -> Observable<Result> { plain.scan(into: seed, accumulator) }

    /// Sends the last result after the completion.
    @available(*, deprecated, renamed: "reduce(_:_:)")
    @preconcurrency public func reduce<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> { plain.reduce(seed, accumulator) }

    /// Sends the last result, transformed, after the completion.
    @available(*, deprecated, message: "use reduce(_:_:) and map(_:)")
    @preconcurrency public func reduce<Result: Sendable, Output: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) throws -> Result,
        mapResult: @escaping @Sendable (Result) throws -> Output
    ) -> Observable<Output> { plain.reduce(seed, accumulator).map(mapResult) }

    /// Sends the values of a duration.
    @available(*, deprecated, renamed: "take(for:on:)")
    public func take(for duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        plain.take(for: duration, on: scheduler)
    }

    /// Sends the values until a condition is true.
    @available(*, deprecated, message: "use take(while:inclusive:)")
    @preconcurrency public func take(
        until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> { plain.take(while: { try !predicate($0) }, inclusive: behavior == .inclusive) }

    /// Sends the values until a trigger sends one.
    @available(*, deprecated, renamed: "take(until:)")
    public func takeUntil(_ other: some Subscribable) -> Observable<Element> { plain.take(until: other) }

    /// Sends the values while a condition is true.
    @available(*, deprecated, message: "use take(while:inclusive: true)")
    @preconcurrency public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior
    ) -> Observable<Element> { plain.take(while: predicate, inclusive: behavior == .inclusive) }

    /// Sends the values while a condition is true.
    @available(*, deprecated, renamed: "take(while:)")
    @preconcurrency
    public func takeWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        plain.take(while: predicate)
    }

    /// Drops the values of a duration.
    @available(*, deprecated, message: "use skip(until: Observable.timer(after:on:))")
    public func skip(_ duration: Duration, scheduler: any Scheduler) -> Observable<Element> {
        plain.skip(until: Observable<Int>.timer(after: duration, on: scheduler))
    }

    /// Drops values while a condition is true.
    @available(*, deprecated, renamed: "skip(while:)")
    @preconcurrency
    public func skipWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        plain.skip(while: predicate)
    }

    /// Sends values after a trigger has sent one.
    @available(*, deprecated, renamed: "skip(until:)")
    public func skipUntil(_ other: some Subscribable) -> Observable<Element> { skip(until: other) }

    /// Drops values whose key equals the previous key.
    @available(*, deprecated, message: "use distinctUntilChanged(by:)")
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        at keyPath: any KeyPath<Element, Key> & Sendable
    ) -> Observable<Element> { plain.distinctUntilChanged(by: { $0[keyPath: keyPath] }) }

    /// Drops values whose key equals the previous key.
    @available(*, deprecated, renamed: "distinctUntilChanged(by:)")
    @preconcurrency public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> { plain.distinctUntilChanged(by: keySelector) }

    /// Drops values that are the same as the previous one.
    @available(*, deprecated, renamed: "distinctUntilChanged(by:)")
    @preconcurrency public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> { plain.distinctUntilChanged(by: comparer) }

    /// Drops values whose key is the same as the previous key.
    @available(*, deprecated, message: "use distinctUntilChanged(by:) with a closure of two values")
    @preconcurrency public func distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Observable<Element> { plain.distinctUntilChanged(by: { try comparer(keySelector($0), keySelector($1)) }) }

    /// Subscribes to the source after a duration.
    @available(*, deprecated, renamed: "delaySubscription(for:on:)")
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        plain.delaySubscription(for: dueTime, on: scheduler)
    }

    /// Sends arrays of the values of a duration, of at most `count` values each.
    @available(
        *, deprecated, message: "buffer(for:count:on:) starts its time with the first value, and sends no empty arrays"
    )
    public func buffer(timeSpan: Duration, count: Int, scheduler: any Scheduler) -> Observable<[Element]> {
        window(timeSpan: timeSpan, count: count, scheduler: scheduler).concatMap { $0.toArray().observable }
    }

    /// Sends streams of the values of a duration, of at most `count` values each.
    @available(*, deprecated, message: "window(for:count:on:) starts its time with the first value")
    public func window(
        timeSpan: Duration, count: Int, scheduler: any Scheduler
    ) -> Observable<Observable<Element>> { plain.window(for: timeSpan, count: count, on: scheduler) }

    /// Sends the latest value of the source when `sampler` sends a value, or a default if there is no new one.
    @available(*, deprecated, message: "use sample(by:defaultValue:), which completes with its source")
    public func sample(_ sampler: some Subscribable, defaultValue: Element) -> Observable<Element> {
        plain.sample(by: sampler, defaultValue: defaultValue)
    }

    /// Sends the latest value of the source when `sampler` sends a value.
    @available(*, deprecated, message: "use sample(by:), which completes with its source")
    public func sample(_ sampler: some Subscribable) -> Observable<Element> { plain.sample(by: sampler) }

    /// Sends each value together with `owner`, transformed; completes at the first value after its deallocation.
    @available(*, deprecated, renamed: "take(whileAlive:_:)")
    @preconcurrency public func withUnretained<Owner: AnyObject & Sendable, Output: Sendable>(
        _ owner: Owner, resultSelector: @escaping @Sendable (Owner, Element) throws -> Output
    ) -> Observable<Output> { plain.take(whileAlive: owner, resultSelector) }

    /// Sends the values of the stream that is first to send an event.
    @available(*, deprecated, message: "use Observable.race(_:)")
    public func amb(_ right: some Subscribable<Element>) -> Observable<Element> {
        .race([observable, right.observable])
    }

    /// Shares one subscription to the source, and replays up to `replay` values.
    @available(*, deprecated, message: "use share(replay: .latest(n), scope:); .forever keeps a completed run")
    public func share(replay: Int, scope: ShareScope = .whileSubscribed) -> Observable<Element> {
        plain.share(replay: replay > 0 ? .latest(replay) : .none, scope: scope)
    }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "the closure of retry(when:) receives each error and its number")
    @_disfavoredOverload
    @preconcurrency public func retry<Failure: Error, Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<Failure>) throws -> Notice
    ) -> Observable<Element> { observable.retrying(when: handler) }

    /// Prints the events.
    @available(*, deprecated, message: "use debug(_:) with a label")
    public func debug(_ identifier: String? = nil, trimOutput: Bool) -> Observable<Element> {
        plain.debug(identifier ?? "stream")
    }
}

extension ObservableType where Element == Data {
    /// Decodes each value.
    @available(*, deprecated, message: "use map { try decoder.decode(type, from: $0) }")
    public func decode<Value: Decodable & Sendable>(
        type: Value.Type, decoder: some DataDecoder & Sendable
    ) -> Observable<Value> { plain.map { try decoder.decode(type, from: $0) } }
}

extension ObservableType where Element: Subscribable {
    /// Sends the values of all streams that the source sends, subscribed to at most `maxConcurrent` at a time.
    @available(*, deprecated, message: "use flatMap(maxConcurrent:) { $0 }")
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        plain.flatMap(maxConcurrent: maxConcurrent) { $0.observable }
    }

    /// Sends the values of the streams that the source sends, one stream after the other.
    @available(*, deprecated, message: "use concatMap { $0 }")
    public func concat() -> Observable<Element.Element> { plain.concatMap { $0.observable } }
}

extension Observable {
    /// Sends arrays or other results of the latest values of all streams.
    @available(*, deprecated, message: "use combineLatest(_:) and map(_:)")
    @preconcurrency public static func combineLatest<Source: Subscribable>(
        _ collection: some Collection<Source>,
        resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Self { Observable<[Source.Element]>.combineLatest(Array(collection)).map(resultSelector) }

    /// Sends results of the values with the same index of all streams.
    @available(*, deprecated, message: "use zip(_:) and map(_:)")
    @preconcurrency public static func zip<Source: Subscribable>(
        _ collection: some Collection<Source>,
        resultSelector: @escaping @Sendable ([Source.Element]) throws -> Element
    ) -> Self { Observable<[Source.Element]>.zip(Array(collection)).map(resultSelector) }

    /// Sends the values of all streams as they arrive.
    @available(*, deprecated, message: "use merge(_:) with an array of observables")
    @_disfavoredOverload
    public static func merge(_ sources: some Collection<some Subscribable<Element>>) -> Self {
        merge(sources.map(\.observable))
    }

    /// Sends the values of one stream after the other.
    @available(*, deprecated, message: "use concat(_:) with an array of observables")
    @_disfavoredOverload
    public static func concat(_ sources: some Sequence<some Subscribable<Element>>) -> Self {
        concat(sources.map(\.observable))
    }

    /// Continues with the next stream when one fails.
    @available(*, deprecated, message: "use catch(_:)")
    public static func `catch`<Source: Subscribable<Element>>(sequence: some Sequence<Source>) -> Self {
        let sources = sequence.map(\.observable)
        return sources.dropFirst().reduce(sources.first ?? .empty()) { first, second in first.catch { _ in second } }
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// The values of the sequence as a stream.
    @available(*, deprecated, message: "use Observable.from(_:)")
    public func asObservable() -> Observable<Element> { .from(self) }
}

@available(*, deprecated, message: "MoyaStreams prints the names of types, too")
extension Event: CustomDebugStringConvertible {
    /// The case with its value.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

extension Event {
    /// The value of `next`.
    @available(*, deprecated, message: "use a pattern, as in if case .next(let element) = event")
    public var element: Element? { if case .next(let element) = self { element } else { nil } }
    /// The error of `error`.
    @available(*, deprecated, message: "use a pattern, as in if case .error(let error) = event")
    public var error: (any Error)? { if case .error(let error) = self { error } else { nil } }
    /// Whether the event is `completed`.
    @available(*, deprecated, message: "use a pattern, as in if case .completed = event")
    public var isCompleted: Bool { if case .completed = self { true } else { false } }
    /// Whether the event is `error` or `completed`.
    @available(*, deprecated, message: "use a pattern, as in if case .next = event")
    public var isStopEvent: Bool { if case .next = self { false } else { true } }

    /// Transforms the value of `next`.
    @available(*, deprecated, message: "use map(_:) of the stream")
    public func map<Output: Sendable>(_ transform: (Element) throws -> Output) -> Event<Output> {
        switch self {
        case .next(let element): do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}
