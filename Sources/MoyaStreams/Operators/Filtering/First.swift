/// A stream did not have the one value that was asked for.
public enum StreamError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It completed without a value.
    case noElements
    /// It sent a second one.
    case moreThanOneElement

    /// One line.
    public var description: String {
        switch self {
        case .noElements: "the stream completed without a value"
        case .moreThanOneElement: "the stream sent more than one value"
        }
    }
}

extension Subscribable {
    /// The first value, then completion.
    ///
    /// ```text
    /// source:     --a--b|
    /// first():    --(a|)
    /// ```
    /// The source is released with its first value. Fails with ``StreamError/noElements`` if there is none.
    public func first() -> Observable<Element> {
        take(1).ifEmpty(switchTo: .error(StreamError.noElements)).named(hiding: 2)
    }

    /// The only value, once the source has completed.
    ///
    /// ```text
    /// source:      --a--|
    /// single():    -----(a|)
    /// ```
    /// Fails with ``StreamError/noElements`` if there is none, and with ``StreamError/moreThanOneElement`` as soon as there
    /// is a second one.
    public func single() -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let only = LockedBox<Element?>(nil)
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
