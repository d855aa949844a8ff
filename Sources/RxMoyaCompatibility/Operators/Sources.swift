import MoyaScheduling
public import MoyaStreams

// As in RxSwift, sequences send one value for each turn of a scheduler, so that several of them take turns.
extension Observable {
    /// Returns a stream of the given values.
    public static func of(_ elements: Element...) -> Self { .turns(elements) }

    /// Returns a stream of the given values, sent on a scheduler.
    @available(*, deprecated, message: "use of(_:) and subscribe(on:)")
    public static func of(_ elements: Element..., scheduler: any Scheduler) -> Self { .turns(elements, scheduler) }

    /// Returns a stream of the values of an array.
    public static func from(_ array: [Element]) -> Self { .turns(array) }

    /// Returns a stream of the values of a sequence, sent on a scheduler.
    @available(*, deprecated, message: "use from(_:) and subscribe(on:)")
    public static func from<S: Sequence<Element> & Sendable>(_ sequence: S, scheduler: any Scheduler) -> Self {
        .deferred { .turns(Array(sequence), scheduler) }
    }

    /// Returns a stream of one value, sent on a scheduler.
    @available(*, deprecated, message: "use just(_:) and subscribe(on:)")
    public static func just(_ element: Element, scheduler: any Scheduler) -> Self { .turns([element], scheduler) }

    /// Returns a stream of one value, or of none for `nil`, sent on a scheduler.
    @available(*, deprecated, message: "use from(_:) and subscribe(on:)")
    public static func from(optional: Element?, scheduler: any Scheduler) -> Self {
        .turns(optional.map { [$0] } ?? [], scheduler)
    }

    /// Returns a stream that sends a value again and again.
    @available(*, deprecated, message: "use .just(element).repeat()")
    public static func repeatElement(
        _ element: Element, scheduler: any Scheduler = CurrentThreadScheduler.instance
    ) -> Self { .turns(on: scheduler) { _ in element } }

    /// Returns a stream of the states from an initial one on, while a condition is true.
    @available(*, deprecated, message: "use .from(sequence(first:next:))")
    @preconcurrency public static func generate(
        initialState: Element, condition: @escaping @Sendable (Element) throws -> Bool,
        scheduler: any Scheduler = CurrentThreadScheduler.instance,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Self {
        Observable<Int>.turns(on: scheduler) { $0 }.plain
            .scan(into: (state: Element?.none, isOver: false)) { result, _ in
                let next = try result.state.map(iterate) ?? initialState
                result = try (next, !condition(next))
            }
            .take(while: { !$0.isOver })
            .compactMap { $0.state }
    }

    /// Returns a stream with a resource, which is disposed of at the end.
    @available(*, deprecated, renamed: "using(_:stream:close:)")
    @preconcurrency public static func using<Resource: Cancellable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable
    ) -> Self {
        .deferred {
            let resource = try resourceFactory()
            let stream: Observable
            do { stream = try observableFactory(resource) } catch { stream = .error(error) }
            return stream.handleEvents(onEnd: { resource.cancel() })
        }
    }

    private static func turns(
        _ elements: [Element], _ scheduler: (any Scheduler)? = nil
    ) -> Self { turns(on: scheduler) { $0 < elements.count ? elements[$0] : nil } }

    /// Sends each value in a turn of its own, until there is no element for an index.
    static func turns(on scheduler: (any Scheduler)?, _ element: @escaping @Sendable (Int) -> Element?) -> Self {
        Observable { emitter in
            let work = Locked<(any Cancellable)?>(nil)
            @Sendable func turn(_ index: Int) {
                let step: @Sendable () -> Void = {
                    guard let element = element(index) else { return emitter.complete() }
                    emitter.send(element)
                    if !emitter.isTerminated { turn(index + 1) }
                }
                let next = scheduler?.schedule(step) ?? CurrentThread.schedule(step)
                _ = work.withLock { work in
                    defer { work = next }
                    return work
                }
            }
            emitter.onTermination { work.withLock { $0.take() }?.cancel() }
            turn(0)
        }
    }
}

extension Observable where Element == Int {
    /// Returns a stream of `count` consecutive integers, beginning with `start`.
    @available(*, deprecated, message: "use .from(start..<start + count)")
    public static func range(
        start: Int, count: Int, scheduler: any Scheduler = CurrentThreadScheduler.instance
    ) -> Self { .turns(on: scheduler) { $0 < count ? start + $0 : nil } }
}
