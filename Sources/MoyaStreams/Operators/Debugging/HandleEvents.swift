extension Subscribable {
    /// Calls closures for the events of the source, and sends the events unchanged.
    ///
    /// ```swift
    /// request.handleEvents(onSubscribe: { spinner.start() }, onEnd: { spinner.stop() })
    /// ```
    /// - Parameters:
    ///   - onSubscribe: called before the operator subscribes to the source.
    ///   - onNext: called before each value is delivered; if the closure throws, the stream fails with that error.
    ///   - onError: called before a failure is delivered.
    ///   - onCompleted: called before completion is delivered.
    ///   - onCancel: called if the subscription ends before the source has completed or failed.
    ///   - onEnd: called once, after completion, failure or cancellation.
    public func handleEvents(
        onSubscribe: (@Sendable () -> Void)? = nil,
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onCancel: (@Sendable () -> Void)? = nil,
        onEnd: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            onSubscribe?()
            let lifetime = Lifetime(
                in: downstream.lifetime,
                .call { error in
                    if let error { onError?(error) } else { onCompleted?() }
                    downstream.lifetime.end(error)
                    onEnd?()
                },
                onUnobservedEnd: {
                    onCancel?()
                    onEnd?()
                })
            source.run(
                Observer(lifetime) { element in
                    do { try onNext?(element) } catch { return lifetime.fail(error) }
                    downstream.send(element)
                })
        })
    }
}
