public import MoyaStreams

// As in RxSwift, a combination completes with the first value that cannot be combined. After its last value, or in
// place of values, each source sends a mark.
extension Observable {
    /// Combines the values with the same index; completes with the first value that has no partner.
    public static func zip<First: ObservableType, Second: ObservableType>(
        _ first: First, _ second: Second
    ) -> Observable where Element == (First.Element, Second.Element) {
        Observable<(First.Element?, Second.Element?)>.zip(first.endMarked, second.endMarked).unwrapped {
            try ($0.0.value(), $0.1.value())
        }
    }

    /// Combines the values with the same index; completes with the first value that has no partner.
    public static func zip<each Source: ObservableType>(
        _ streams: repeat each Source
    ) -> Observable where Element == (repeat (each Source).Element) {
        Observable<(repeat (each Source).Element?)>.zip(repeat (each streams).endMarked).unwrapped {
            try (repeat (each $0).value())
        }
    }

    /// Combines the values with the same index; completes with the first value that has no partner.
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

    /// Completes at a mark.
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

extension Subscribable {
    fileprivate var endMarked: some Subscribable<Element?> {
        plain.map(Optional.some).concat(Observable<Element?>.just(nil)).concat(Observable<Element?>.never())
    }

    fileprivate var emptyMarked: some Subscribable<Element?> { plain.map(Optional.some).ifEmpty(default: nil) }
}
