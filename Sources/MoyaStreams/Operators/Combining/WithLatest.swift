extension Subscribable {
    /// Each value, together with the latest of another stream.
    ///
    /// ```text
    /// source:               a---b---c|
    /// other:                --1--2
    /// withLatest(from:):    ----(b,1)---(c,2)|
    /// ```
    /// Values that come before the other stream's first are dropped. The other stream is subscribed first; its completion
    /// changes nothing, its failure becomes the stream's. Buffers one value.
    public func withLatest<Other: Sendable>(
        from other: some Subscribable<Other>
    ) -> Observable<(Element, Other)> {
        Observable(run: { [source = observable, other = other.observable] downstream in
            let junction = Junction<Other?, Latest<Element, Other>, (Element, Other)>(nil, downstream) {
                latest, input, observer, _ in
                switch input {
                case .other(let value): latest = value
                case .next(let element): if let latest { observer.send((element, latest)) }
                case .end(let error): return .ends(error)
                }
                return .goesOn
            }
            let watching = Lifetime(in: downstream.lifetime) { if let error = $0 { junction.pass(.end(error)) } }
            other.run(Observer(watching) { junction.pass(.other($0)) })
            let lifetime = Lifetime(in: downstream.lifetime) { junction.pass(.end($0)) }
            source.run(Observer(lifetime) { junction.pass(.next($0)) })
        })
    }
}

private enum Latest<Element: Sendable, Other: Sendable>: Sendable {
    case next(Element)
    case other(Other)
    case end((any Error)?)
}
