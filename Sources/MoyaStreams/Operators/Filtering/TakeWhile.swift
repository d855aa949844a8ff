import MoyaScheduling

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
    @inlinable
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

    /// The values as long as `owner` is alive; the first one after that completes the stream instead of being sent.
    ///
    /// It is looked at with each value: to be told at once, keep a ``SubscriptionBag`` in the owner.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self).subscribeNext { [weak self] in self?.show($0) }
    /// ```
    public func take<Owner: AnyObject & Sendable>(whileAlive owner: Owner) -> Observable<Element> {
        let owner = Weak(owner)
        return take(while: { _ in owner.object != nil }).named()
    }

    /// What `transform` makes of `owner` and each value, as long as `owner` is alive: the closure needs no `[weak self]`.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self) { model, tick in model.show(tick) }.subscribe()
    /// ```
    /// The first value after the owner's end completes the stream. An error that `transform` throws becomes the stream's.
    public func take<Owner: AnyObject & Sendable, Output: Sendable>(
        whileAlive owner: Owner, _ transform: @escaping @Sendable (Owner, Element) throws -> Output
    ) -> Observable<Output> {
        let owner = Weak(owner)
        return Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            source.run(
                Observer(lifetime) { element in
                    guard let owner = owner.object else { return lifetime.finish() }
                    do { downstream.next(try transform(owner, element)) } catch { lifetime.fail(error) }
                })
        })
    }
}
