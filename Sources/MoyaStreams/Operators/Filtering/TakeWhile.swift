import MoyaScheduling

extension Subscribable {
    /// Sends the values up to the first one for which a condition is false, and completes there.
    ///
    /// ```text
    /// source:                    1--2--3--1|
    /// take(while: { $0 < 3 }):   1--2--|
    /// ```
    /// Fails with an error that the condition throws.
    ///
    /// - Parameters:
    ///   - condition: called for each value.
    ///   - inclusive: whether the value for which the condition is false is also sent.
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

    /// Sends the values while `owner` exists; the first value after its deallocation completes the stream instead.
    ///
    /// To end the subscription as soon as the owner is deallocated, store a ``SubscriptionBag`` in it.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self).subscribeNext { [weak self] in self?.show($0) }
    /// ```
    public func take<Owner: AnyObject & Sendable>(whileAlive owner: Owner) -> Observable<Element> {
        let owner = Weak(owner)
        return take(while: { _ in owner.object != nil }).named()
    }

    /// Transforms each value together with `owner`, as long as `owner` exists; the closure needs no `[weak self]`.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self) { model, tick in model.show(tick) }.subscribe()
    /// ```
    /// The first value after the deallocation of the owner completes the stream. Fails with an error that `transform`
    /// throws.
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
