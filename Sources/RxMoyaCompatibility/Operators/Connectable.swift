public import MoyaStreams

/// A stream whose source runs once for all subscribers, from the call of `connect` on.
@available(*, deprecated, message: "use multicast(replay:), or share(); connect() does not serve refCount()")
public struct ConnectableObservable<Element: Sendable>: ObservableType {
    /// The values that the source sends after `connect`, and the replayed ones.
    public let observable: Observable<Element>
    private let connection: @Sendable () -> Subscription
    private let shared: Observable<Element>

    fileprivate init(_ source: some Subscribable<Element>, replay: ReplayPolicy) {
        let (signal, connect) = source.observable.plain.multicast(replay: replay)
        observable = signal.observable
        connection = connect
        shared = source.observable.plain.share(replay: replay)
    }

    fileprivate init(connecting source: Observable<Element>, to subject: some SubjectType<Element>) {
        observable = subject.observable
        connection = { source.subscribe(subject) }
        shared = source.plain.share()
    }

    /// Subscribes to the source, until the token is disposed of.
    @discardableResult public func connect() -> any Disposable { connection() }
    /// Returns a stream that connects with its first subscriber and disconnects with its last.
    ///
    /// After `multicast(_:)`, it shares the source without the subject.
    public func refCount() -> Observable<Element> { shared }
}

/// A connectable stream.
@available(*, deprecated, message: "use multicast(replay:), which returns a signal and connect")
public typealias ConnectableObservableType = ConnectableObservable

extension ObservableType {
    /// Sends the values to all subscribers after `connect`.
    @available(*, deprecated, renamed: "multicast(replay:)")
    public func publish() -> ConnectableObservable<Element> { ConnectableObservable(self, replay: .none) }

    /// Sends the values to all subscribers after `connect`, and replays the latest ones.
    @available(*, deprecated, message: "use multicast(replay: .latest(bufferSize))")
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        ConnectableObservable(self, replay: .latest(bufferSize))
    }

    /// Sends the values to all subscribers after `connect`, and replays all.
    @available(*, deprecated, message: "use multicast(replay: .all)")
    public func replayAll() -> ConnectableObservable<Element> { ConnectableObservable(self, replay: .all) }

    /// Sends the values to a subject after `connect`, and the events of the subject to all subscribers.
    @available(*, deprecated, message: "use multicast(replay:), which returns a signal and connect")
    public func multicast<Subject: SubjectType>(
        _ subject: Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Element == Element {
        ConnectableObservable(connecting: observable, to: subject)
    }

    /// Sends the values to a subject after `connect`, and the events of the subject to all subscribers.
    @available(*, deprecated, message: "use multicast(replay:), which returns a signal and connect")
    @preconcurrency public func multicast<Subject: SubjectType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Element == Element { multicast(makeSubject()) }

    /// Shares one subscription in the stream that a closure returns.
    @available(*, deprecated, message: "use share() in the closure")
    @preconcurrency public func multicast<Subject: SubjectType, Output: Sendable>(
        _ subjectSelector: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Subject.Element>) throws -> Observable<Output>
    ) -> Observable<Output> where Subject.Element == Element {
        .deferred { [source = observable] in
            let connectable = source.multicast(try subjectSelector())
            let output = try selector(connectable.observable)
            return .withToken { emitter in
                let subscription = output.subscribe { emitter.send(event: $0) }
                return Disposables.create(subscription, connectable.connect())
            }
        }
    }
}

/// The values with one key.
@available(*, deprecated, message: "groupBy(_:) of MoyaStreams sends tuples (key:, values:)")
public struct GroupedObservable<Key: Hashable & Sendable, Element: Sendable>: ObservableType {
    /// The key of all values.
    public let key: Key
    /// The values.
    public let observable: Observable<Element>

    /// Creates a group.
    public init(key: Key, source: Observable<Element>) { (self.key, observable) = (key, source) }
}

extension ObservableType {
    /// Sends a stream for each key.
    @available(*, deprecated, message: "use groupBy(_:), which sends tuples (key:, values:)")
    @preconcurrency public func groupBy<Key: Hashable & Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        plain.groupBy(keySelector).map { GroupedObservable(key: $0.key, source: $0.values) }
    }
}
