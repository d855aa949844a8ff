/// Counts the subscribers of a `groupBy` or `window` stream and of its inner streams; cancels the source at zero.
final class InnerStreamRefCount: Sendable {
    private let connection: Weak<Lifetime>
    /// The number of subscribers; `nil` after the last subscription has ended.
    private let count = Locked<Int?>(0)

    init(of connection: Lifetime) {
        self.connection = Weak(connection)
    }

    /// Returns `false` if the source was cancelled.
    @discardableResult
    func add(_ subscriber: Lifetime) -> Bool {
        let isOpen = count.withLock { count in
            count = count.map { $0 + 1 }
            return count != nil
        }
        guard isOpen else { return false }
        subscriber.onEnd { [self] in
            let isLast = count.withLock { count in
                count = count.flatMap { $0 > 1 ? $0 - 1 : nil }
                return count == nil
            }
            if isLast { connection.object?.cancel() }
        }
        return true
    }

    func makeStream<Element: Sendable>(of type: Element.Type) -> (Observable<Element>, Emitter<Element>) {
        let signal = Signal<Element>(limit: .max, isUntilObserved: true)
        let stream = Observable<Element>(run: { [self] observer in
            let isOpen = add(observer.lifetime)
            signal.observable.run(observer)
            if !isOpen { observer.lifetime.finish() }
        })
        return (stream, signal.makeEmitter())
    }
}
