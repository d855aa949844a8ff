extension Subscribable {
    /// The same events, with a look at them as they pass.
    ///
    /// ```swift
    /// request.handleEvents(onSubscribe: { spinner.start() }, onEnd: { spinner.stop() })
    /// ```
    /// - Parameters:
    ///   - onSubscribe: before the source is subscribed.
    ///   - onNext: before each value goes on; an error that it throws becomes the stream's.
    ///   - onError: before the failure goes on.
    ///   - onCompleted: before the completion goes on.
    ///   - onCancel: when downstream stops listening before the source has ended.
    ///   - onEnd: once at the end, after all of the above, however it came.
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
                onUnobservedEnd: {
                    onCancel?()
                    onEnd?()
                },
                terminal: { error in
                    if let error { onError?(error) } else { onCompleted?() }
                    downstream.lifetime.end(error)
                    onEnd?()
                })
            source.run(
                Observer(lifetime) { element in
                    do { try onNext?(element) } catch { return lifetime.fail(error) }
                    downstream.next(element)
                })
        })
    }
}
