import MoyaScheduling

/// The subscribers of an operator that sends streams, and of those streams: the last one to end cancels the source.
final class WindowConnection: Sendable {
    /// The lifetime of the source's subscription, which the source retains.
    private let connection: Weak<Lifetime>
    /// How many there are; `nil` when the last one has gone.
    private let count = Locked<Int?>(0)

    init(of connection: Lifetime) {
        self.connection = Weak(connection)
    }

    func add(_ user: Lifetime) {
        let isInTime = count.withLock { count in
            count = count.map { $0 + 1 }
            return count != nil
        }
        guard isInTime else { return }
        user.onEnd { [self] in
            let isLast = count.withLock { count in
                count = count.flatMap { $0 > 1 ? $0 - 1 : nil }
                return count == nil
            }
            if isLast { connection.object?.cancel() }
        }
    }

    /// A stream whose values are buffered until its first subscriber, and its emitter.
    func makeStream<Element: Sendable>(
        of type: Element.Type, named name: StaticString
    ) -> (Observable<Element>, Emitter<Element>) {
        let signal = Signal<Element>(replayBuffer: ReplayBuffer(limit: .max, isUntilObserved: true))
        let stream = Observable<Element>(
            name: name,
            run: { [self] observer in
                add(observer.lifetime)
                signal.observable.run(observer)
            })
        return (stream, signal.emitter)
    }
}
