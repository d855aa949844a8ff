public import MoyaStreams

extension Observable {
    /// Combines the values with the same index; completes when all sources have.
    public static func zip<First: ObservableType, Second: ObservableType>(
        _ first: First, _ second: Second
    ) -> Observable where Element == (First.Element, Second.Element) {
        .deferred {
            let ends = Ends(of: 2)
            return Observable.zip(first.endless(ends), second.endless(ends)).take(until: ends.all)
        }
    }

    /// Combines the values with the same index; completes when all sources have.
    public static func zip<each Source: ObservableType>(
        _ streams: repeat each Source
    ) -> Observable where Element == (repeat (each Source).Element) {
        .deferred {
            var count = 0
            for _ in repeat each streams { count += 1 }
            let ends = Ends(of: count)
            return Observable.zip(repeat (each streams).endless(ends)).take(until: ends.all)
        }
    }

    /// Combines the values with the same index; completes when all sources have.
    @preconcurrency public static func zip<each Source: ObservableType>(
        _ streams: repeat each Source,
        resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
    ) -> Observable {
        Observable<(repeat (each Source).Element)>.zip(repeat each streams).map { try resultSelector(repeat each $0) }
    }

    /// Combines the latest values; completes with the first value that cannot be combined.
    public static func combineLatest<First: ObservableType, Second: ObservableType>(
        _ first: First, _ second: Second
    ) -> Observable where Element == (First.Element, Second.Element) {
        Observable<(First.Element?, Second.Element?)>.combineLatest(first.emptyMarked, second.emptyMarked).unwrapped {
            try ($0.0.value(), $0.1.value())
        }
    }

    /// Combines the latest values; completes with the first value that cannot be combined.
    public static func combineLatest<each Source: ObservableType>(
        _ streams: repeat each Source
    ) -> Observable where Element == (repeat (each Source).Element) {
        Observable<(repeat (each Source).Element?)>.combineLatest(repeat (each streams).emptyMarked).unwrapped {
            try (repeat (each $0).value())
        }
    }

    /// Combines the latest values; completes with the first value that cannot be combined.
    @preconcurrency public static func combineLatest<each Source: ObservableType>(
        _ streams: repeat each Source,
        resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
    ) -> Observable {
        Observable<(repeat (each Source).Element)>.combineLatest(repeat each streams).map {
            try resultSelector(repeat each $0)
        }
    }

    /// Completes at a mark, which a source sends in place of values.
    fileprivate func unwrapped<Output: Sendable>(
        _ unwrap: @escaping @Sendable (Element) throws -> Output
    ) -> Observable<Output> {
        plain.map { element in try? unwrap(element) }.take(while: { $0 != nil }).compactMap { $0 }
    }
}

private struct Mark: Error {}

extension Optional where Wrapped: Sendable {
    fileprivate func value() throws -> Wrapped {
        guard let self else { throw Mark() }
        return self
    }
}

/// Sends a value when all sources of a combination have completed.
private final class Ends: Sendable {
    let all: Signal<Void>
    private let emitter: Emitter<Void>
    private let remaining: Locked<Int>

    init(of count: Int) {
        (all, emitter) = Signal.pipe()
        remaining = Locked(count)
    }

    func add() {
        let isLast = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
        if isLast { emitter.send(()) }
    }
}

extension Subscribable {
    /// Counts the completion, and does not send it.
    fileprivate func endless(_ ends: Ends) -> some Subscribable<Element> {
        plain.handleEvents(onCompleted: { ends.add() }).plain.concat(Observable<Element>.never())
    }

    fileprivate var emptyMarked: some Subscribable<Element?> { plain.map(Optional.some).ifEmpty(default: nil) }
}
