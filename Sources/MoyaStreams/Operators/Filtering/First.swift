/// The error of operators such as `first()` and `single()`, if the source sends too few or too many values.
public enum StreamError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The stream completed without a value.
    case noElements
    /// The stream sent more than one value.
    case moreThanOneElement

    /// A description on one line.
    public var description: String {
        switch self {
        case .noElements: "the stream completed without a value"
        case .moreThanOneElement: "the stream sent more than one value"
        }
    }
}

extension Subscribable {
    /// Sends the first value and completes.
    ///
    /// ```text
    /// source:     --a--b|
    /// first():    --(a|)
    /// ```
    /// The source is released after its first value. Fails with ``StreamError/noElements`` if the source completes
    /// without a value.
    public func first() -> Observable<Element> {
        take(1).ifEmpty(switchTo: .error(StreamError.noElements))
    }

    /// Sends the first value that meets a condition and completes.
    ///
    /// ```text
    /// source:               --1--2--3|
    /// first { $0 > 1 }:     -----(2|)
    /// ```
    /// Fails with ``StreamError/noElements`` if the source completes without such a value, and with an error that
    /// `condition` throws.
    public func first(where condition: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        filter(condition).first()
    }

    /// Sends the only value after the source has completed.
    ///
    /// ```text
    /// source:      --a--|
    /// single():    -----(a|)
    /// ```
    /// Fails with ``StreamError/noElements`` if the source completes without a value, and with
    /// ``StreamError/moreThanOneElement`` as soon as the source sends a second value.
    public func single() -> Observable<Element> {
        reduce(into: Element?.none) { only, element in
            if only != nil { throw StreamError.moreThanOneElement }
            only = element
        }
        .map { only in
            guard let only else { throw StreamError.noElements }
            return only
        }
    }
}
