extension Subscribable {
    /// The values as long as a condition holds, then completion.
    ///
    /// ```text
    /// source:                    1--2--3--1|
    /// take(while: { $0 < 3 }):   1--2--|
    /// ```
    /// An error that the condition throws becomes the stream's.
    ///
    /// - Parameters:
    ///   - condition: asked for each value.
    ///   - inclusive: whether the value that ends it is sent, too.
    public func take(
        while condition: @escaping @Sendable (Element) throws -> Bool, inclusive: Bool = false
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            source.run(
                Observer(lifetime) { element in
                    do {
                        let holds = try condition(element)
                        if holds || inclusive { downstream.next(element) }
                        if !holds { lifetime.finish() }
                    } catch { lifetime.fail(error) }
                })
        })
    }
}
