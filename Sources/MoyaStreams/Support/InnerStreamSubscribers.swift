/// The subscribers of a `groupBy` or `window` stream and of its inner streams: they retain what cancels the source.
struct InnerStreamSubscribers: Sendable {
    /// The parent of the source's lifetime; cancelled when no subscriber is left.
    let lifetime = Lifetime { _ in }
    private let sourceHandler: Weak<Lifetime>

    init(_ downstream: Lifetime) {
        let handler = Lifetime(.callWhenReleased { [lifetime] _ in lifetime.cancel() })
        sourceHandler = Weak(handler)
        downstream.onEnd { withExtendedLifetime(handler) {} }
    }

    func makeStream<Element: Sendable>(of type: Element.Type) -> (Observable<Element>, Emitter<Element>) {
        let signal = Signal<Element>(limit: .max, isUntilObserved: true)
        let stream = Observable<Element>(run: { [sourceHandler] observer in
            let handler = sourceHandler.object
            observer.lifetime.onEnd { withExtendedLifetime(handler) {} }
            signal.observable.run(observer)
            // The source was cancelled.
            if handler == nil { observer.lifetime.finish() }
        })
        return (stream, signal.makeEmitter())
    }
}
