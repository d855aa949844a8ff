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
        Observable(run: { [source = observable] downstream in
            let only = SerialCell<Element?>(nil)
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let element = only.exchange(nil)
                if let error { return downstream.lifetime.fail(error) }
                guard let element else { return downstream.lifetime.fail(StreamError.noElements) }
                downstream.send(element)
                downstream.lifetime.finish()
            }
            source.run(
                Observer(lifetime) { element in
                    if only.exchange(element) != nil { lifetime.fail(StreamError.moreThanOneElement) }
                })
        })
    }
}
