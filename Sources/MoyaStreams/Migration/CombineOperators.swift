// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Unavailable stand-ins for names of Combine. The compiler's error messages name the replacements.

@available(*, unavailable, message: "use Event, or subscribe(onNext:onError:onCompleted:)")
public enum Subscribers {
    public enum Completion<Failure: Error>: Sendable {
        case finished
        case failure(Failure)
    }
    public enum Demand: Sendable {
        case unlimited, none
        public static func max(_ count: Int) -> Demand { .none }
    }
}

extension Subscribable {
    @available(*, unavailable, message: "use subscribe(onNext:onError:onCompleted:), or subscribeNext")
    public func sink(
        receiveCompletion: ((Subscribers.Completion<any Error>) -> Void)? = nil,
        receiveValue: (Element) -> Void
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onMain: { [weak object] value in object?.property = value })")
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root) -> Subscription {
        subscribe()
    }

    @available(*, unavailable, renamed: "observe(on:)")
    public func receive(on scheduler: any Scheduler) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use observe(on: .main)")
    @_disfavoredOverload
    public func receive(on runLoop: RunLoop) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use map(_:) with the type: a stream of responses decodes its content")
    public func decode<Value: Sendable>(type: Value.Type, decoder: Any) -> Observable<Value> { .empty() }

    @available(*, unavailable, message: "use Observable.zip(_:_:)")
    public func zip<Other: Subscribable>(_ other: Other) -> Observable<(Element, Other.Element)> { .empty() }

    @available(*, unavailable, message: "use Observable.combineLatest(_:_:)")
    public func combineLatest<Other: Subscribable>(_ other: Other) -> Observable<(Element, Other.Element)> { .empty() }

    @available(*, unavailable, message: "use Observable.zip(_:_:_:)")
    public func zip<Second: Subscribable, Third: Subscribable>(
        _ second: Second, _ third: Third
    ) -> Observable<(Element, Second.Element, Third.Element)> { .empty() }

    @available(*, unavailable, message: "use Observable.zip(_:_:), and map(_:)")
    public func zip<Other: Subscribable, Output: Sendable>(
        _ other: Other, _ transform: (Element, Other.Element) -> Output
    ) -> Observable<Output> { .empty() }

    @available(*, unavailable, message: "use Observable.combineLatest(_:_:_:)")
    public func combineLatest<Second: Subscribable, Third: Subscribable>(
        _ second: Second, _ third: Third
    ) -> Observable<(Element, Second.Element, Third.Element)> { .empty() }

    @available(*, unavailable, message: "use subscribe(onMain: { [weak object] value in object?.property = value })")
    public func assign<Published>(to published: inout Published) {}

    @available(*, unavailable, message: "leave it out, or use the property observable for a Signal")
    public func eraseToAnyPublisher() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
    public func removeDuplicates(by isSame: (Element, Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "map(_:)")
    public func tryMap<Output: Sendable>(_ transform: (Element) throws -> Output) -> Observable<Output> { .empty() }

    @available(*, unavailable, renamed: "compactMap(_:)")
    public func tryCompactMap<Output: Sendable>(
        _ transform: (Element) throws -> Output?
    ) -> Observable<Output> { .empty() }

    @available(*, unavailable, renamed: "filter(_:)")
    public func tryFilter(_ isIncluded: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "catchAndReturn(_:)")
    public func replaceError(with element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "ifEmpty(default:)")
    public func replaceEmpty(with element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "startWith(_:)")
    public func prepend(_ elements: Element...) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "concat(_:)")
    public func append(_ other: Observable<Element>) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use concat(.just(element)), or concat(.from(elements))")
    public func append(_ elements: Element...) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use Observable.combineLatest(_:_:resultSelector:)")
    public func combineLatest<Other: Subscribable, Output: Sendable>(
        _ other: Other, _ transform: (Element, Other.Element) -> Output
    ) -> Observable<Output> { .empty() }

    @available(*, unavailable, message: "use flatMap(maxConcurrent: 2) { … }, with a number")
    public func flatMap<Inner: Subscribable>(
        maxPublishers: Subscribers.Demand, _ transform: (Element) -> Inner
    ) -> Observable<Inner.Element> { .empty() }

    @available(*, unavailable, renamed: "ignoreElements()")
    public func ignoreOutput() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "scan(_:_:)")
    public func tryScan<Output: Sendable>(
        _ initial: Output, _ next: (Output, Element) throws -> Output
    ) -> Observable<Output> { .empty() }

    @available(*, unavailable, renamed: "toArray()")
    public func collect() -> Observable<[Element]> { toArray() }

    @available(*, unavailable, message: "use skip(1), or skip(_:) with another number")
    public func dropFirst(_ count: Int = 1) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(while:)")
    public func prefix(while isIncluded: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "skip(while:)")
    public func drop(while isSkipped: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "skip(until:)")
    public func drop(untilOutputFrom trigger: some Subscribable) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(until:)")
    public func prefix(untilOutputFrom trigger: some Subscribable) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use takeLast(1)")
    public func last() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "element(at:)")
    public func output(at index: Int) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "buffer(count:)")
    public func collect(_ count: Int) -> Observable<[Element]> { toArray() }

    @available(*, unavailable, renamed: "catch(_:)")
    public func tryCatch(_ handler: (any Error) throws -> Observable<Element>) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "debounce(for:on:)")
    public func debounce(for dueTime: Duration, scheduler: Any) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use debounce(for: .seconds(0.3), on: .main), with a Duration")
    public func debounce(for dueTime: Double, scheduler: Any) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use throttle(for: .seconds(0.3), latest:, on: .main), with a Duration")
    public func throttle(for dueTime: Double, scheduler: Any, latest: Bool) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "delay(for:on:)")
    public func delay(for dueTime: Duration, scheduler: Any) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use throttle(for:latest:on:), in this order")
    public func throttle(for dueTime: Duration, scheduler: Any, latest: Bool) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    public func handleEvents(
        receiveSubscription: ((Subscription) -> Void)? = nil,
        receiveOutput: ((Element) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<any Error>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil
    ) -> Observable<Element> { observable }

    @available(*, unavailable, message: "remove it: the error of each stream is any Error")
    public func setFailureType<Failure: Error>(to type: Failure.Type) -> Observable<Element> { observable }
}

extension Subscribable where Element: Subscribable {
    @available(*, unavailable, renamed: "switchLatest()")
    public func switchToLatest() -> Observable<Element.Element> { switchLatest() }

    @available(*, unavailable, message: "use flatMap { $0.observable }")
    public func merge() -> Observable<Element.Element> { switchLatest() }
}

extension Subscription {
    @available(*, unavailable, message: "store it in a SubscriptionBag: let bag = SubscriptionBag(), store(in: bag)")
    public func store<Subscriptions: Sequence>(in subscriptions: inout Subscriptions) {}
}

@available(*, unavailable, message: "store subscriptions in a SubscriptionBag")
extension Subscription: Hashable {
    public static func == (left: Subscription, right: Subscription) -> Bool { false }
    public func hash(into hasher: inout Hasher) {}
}

#if !canImport(Combine)
    @available(
        *, unavailable,
        message: "releasing a Subscription does not cancel: call cancel(), or keep it in a SubscriptionBag"
    )
    public typealias AnyCancellable = Subscription

    @available(*, unavailable, message: "use Observable<Output>, whose error is any Error")
    public typealias AnyPublisher<Output: Sendable, Failure> = Observable<Output>

    @available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
    public typealias PassthroughSubject<Output: Sendable, Failure> = Subject<Output>

    @available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
    public typealias CurrentValueSubject<Output: Sendable, Failure> = ValueSubject<Output>

    @available(*, unavailable, message: "use Observable.zip, combineLatest or merge")
    public enum Publishers {
        public struct Zip<First: Subscribable, Second: Subscribable>: Subscribable {
            public init(_ first: First, _ second: Second) {}
            public var observable: Observable<(First.Element, Second.Element)> { .never() }
        }
        public typealias CombineLatest = Zip
        public struct MergeMany<Input: Subscribable>: Subscribable {
            public init(_ inputs: Input...) {}
            public init<Inputs: Sequence>(_ inputs: Inputs) where Inputs.Element == Input {}
            public var observable: Observable<Input.Element> { .never() }
        }
        public typealias Merge = MergeMany
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    @available(*, unavailable, message: "use Observable.just(_:)")
    public func Just<Element: Sendable>(_ element: Element) -> Observable<Element> { .just(element) }

    @available(*, unavailable, message: "use Observable { try await … }, or Observable { emitter in … }")
    public struct Future<Element: Sendable, Failure: Error>: Subscribable {
        public init(_ work: (@escaping @Sendable (Result<Element, Failure>) -> Void) -> Void) {}
        public var observable: Observable<Element> { .never() }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    @available(*, unavailable, message: "use Observable.deferred { … }")
    public func Deferred<Input: Subscribable>(_ create: () -> Input) -> Observable<Input.Element> { .never() }

    @available(*, unavailable, message: "use Observable.empty(), or never()")
    public struct Empty<Element: Sendable, Failure: Error>: Subscribable {
        public init(completeImmediately: Bool = true) {}
        public var observable: Observable<Element> { .never() }
    }

    @available(*, unavailable, message: "use Observable.error(_:)")
    public struct Fail<Element: Sendable, Failure: Error>: Subscribable {
        public init(error: Failure) {}
        public init(outputType: Element.Type, failure: Failure) {}
        public var observable: Observable<Element> { .never() }
    }
#endif

extension Emitter {
    @available(*, unavailable, message: "use emitter.complete(), or emitter.fail(_:)")
    public func send(completion: Subscribers.Completion<any Error>) {}
}

extension ValueEmitter {
    @available(*, unavailable, message: "use emitter.complete(), or emitter.fail(_:)")
    public func send(completion: Subscribers.Completion<any Error>) {}
}

extension Emitter where Element == Void {
    @available(*, unavailable, message: "use send(())")
    public func send() {}
}
