extension Subscribable {
    /// The source, again each time it completes, `times` times in all.
    ///
    /// ```text
    /// source:                a-b|
    /// repeat(times: 2):      a-ba-b|
    /// ```
    /// Without a number it goes on until it is cancelled or fails. The stack does not grow with the number; `0` completes
    /// without subscribing. While it runs it keeps its source alive, also a hot one.
    public func `repeat`(times: Int = .max) -> Observable<Element> {
        guard times > 0 else { return .empty() }
        return Observable(run: { [source = observable] downstream in
            let resubscriber = Resubscriber(downstream.lifetime) { number, resubscriber in
                let lifetime = Lifetime(in: downstream.lifetime) { error in
                    if let error { return downstream.lifetime.fail(error) }
                    if number < times { resubscriber.goOn() } else { downstream.lifetime.finish() }
                }
                source.run(Observer(lifetime, next: downstream.next))
            }
            resubscriber.goOn()
        })
    }
}
