extension Subscribable {
    /// Sends values while a condition is true; completes at the first value for which the condition is false.
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
        stateful(()) { _, element, downstream in
            let holds = try condition(element)
            if holds || inclusive { downstream.next(element) }
            if !holds { downstream.lifetime.finish() }
        }
    }

    /// Sends values while `owner` exists; completes at the first value after the deallocation of `owner`.
    ///
    /// To cancel as soon as `owner` is deallocated, store the subscription in a ``SubscriptionBag`` of `owner` instead.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self).subscribeNext { [weak self] in self?.show($0) }
    /// ```
    public func take<Owner: AnyObject & Sendable>(whileAlive owner: Owner) -> Observable<Element> {
        take(whileAlive: owner) { _, element in element }
    }

    /// Transforms each value together with `owner` while `owner` exists.
    ///
    /// ```swift
    /// ticks.take(whileAlive: self) { model, tick in model.show(tick) }.subscribe()
    /// ```
    /// The closure receives the owner, and therefore needs no `[weak self]`. The first value after the deallocation of
    /// the owner completes the stream. Fails with an error that `transform` throws.
    public func take<Owner: AnyObject & Sendable, Output: Sendable>(
        whileAlive owner: Owner, _ transform: @escaping @Sendable (Owner, Element) throws -> Output
    ) -> Observable<Output> {
        let owner = Weak(owner)
        return stateful(()) { _, element, downstream in
            guard let owner = owner.object else { return downstream.lifetime.finish() }
            downstream.next(try transform(owner, element))
        }
    }
}
