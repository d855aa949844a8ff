import Moya

extension Observable {
    /// A stream that `producer` feeds: it is called once for each subscription, on the subscribing thread.
    ///
    /// The emitter may be kept and used from any thread. If `producer` throws, the stream fails with that error.
    ///
    /// ```swift
    /// let ticks = Observable<Int> { emitter in
    ///     let timer = Timer.repeating(every: 1) { emitter.send($0) }
    ///     emitter.onCancel { timer.stop() }
    /// }
    /// ```
    public init(_ producer: @escaping @Sendable (Emitter<Element>) throws -> Void) {
        self.init(run: { observer in
            let emitter = Emitter(guarding: observer)
            do { try producer(emitter) } catch { emitter.fail(error) }
        })
    }
}

/// What a guarded emitter is told.
///
/// Racing and nested events wait at its gate.
private enum Note<Element: Sendable>: Sendable {
    case next(Element)
    case end((any Error)?)
    case close
}

extension Emitter {
    /// An emitter for foreign code, which may break the grammar and send from several threads at once.
    fileprivate init(guarding observer: Observer<Element>) {
        let gate = Gate<Observer<Element>?, Note<Element>>(observer) { observer, note in
            guard let target = observer else { return }
            switch note {
            case .next(let element):
                if !target.lifetime.isOver { target.next(element) }
            case .end(let error):
                observer = nil
                target.lifetime.end(error)
            case .close:
                observer = nil
            }
        }
        observer.lifetime.onEnd { [weak gate] in gate?.pass(.close) }
        self.init(
            observer.lifetime,
            post: { gate.pass(.next($0)) },
            end: { gate.pass(.end($0)) })
    }
}
