// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import MoyaScheduling

// These operators of Combine are declared as unavailable, so that a compiler error names the replacement.

extension Subscribable {
    @available(*, unavailable, message: "use subscribe(onNext:onError:onCompleted:), or subscribeNext")
    public func sink(
        receiveCompletion: (@Sendable (Result<Void, any Error>) -> Void)? = nil,
        receiveValue: @escaping @Sendable (Element) -> Void
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onMain:) { [weak object] value in object?.property = value }")
    public func assign<Root>(to keyPath: Any, on object: Root) -> Subscription { subscribe() }

    @available(*, unavailable, renamed: "observe(on:)")
    public func receive(on scheduler: any Scheduler) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "observable")
    public func eraseToAnyPublisher() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
    public func removeDuplicates(
        by isSame: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "map(_:)")
    public func tryMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output
    ) -> Observable<Output> { map(transform) }

    @available(*, unavailable, renamed: "filter(_:)")
    public func tryFilter(
        _ isIncluded: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "catchAndReturn(_:)")
    public func replaceError(with element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "ifEmpty(default:)")
    public func replaceEmpty(with element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "startWith(_:)")
    public func prepend(_ elements: Element...) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "concat(_:)")
    public func append(_ other: Observable<Element>) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "toArray()")
    public func collect() -> Observable<[Element]> { toArray() }

    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Observable<Element> { observable }

    @available(*, unavailable, message: "remove it: the error of each stream is any Error")
    public func setFailureType<Failure: Error>(to type: Failure.Type) -> Observable<Element> { observable }
}

extension Subscribable where Element: Subscribable {
    @available(*, unavailable, renamed: "switchLatest()")
    public func switchToLatest() -> Observable<Element.Element> { switchLatest() }

    @available(*, unavailable, message: "use flatMap { $0.observable }")
    public func merge() -> Observable<Element.Element> { switchLatest() }
}
