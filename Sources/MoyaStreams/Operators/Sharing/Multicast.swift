extension Subscribable {
    /// Returns a signal of the source's events, and the function `connect`, which starts the source.
    ///
    /// Use this operator if several subscribers must all receive the first events. The source runs once: further calls
    /// of `connect` return the same subscription. Cancelling that subscription stops the source; the signal then sends
    /// no terminal event. Buffers the replayed values.
    ///
    /// ```swift
    /// let (signal, connect) = provider.request(.zen).multicast()
    /// signal.subscribeNext { first($0) }
    /// signal.subscribeNext { second($0) }
    /// let connection = connect()
    /// ```
    /// - Parameter replay: which earlier values a new subscriber of the signal receives first.
    public func multicast(
        replay: ReplayPolicy = .none
    ) -> (signal: Signal<Element>, connect: @Sendable () -> Subscription) {
        let (signal, emitter) = Signal<Element>.pipe(replay: replay)
        // The source's lifetime itself would retain the emitter, the signal and the signal's subscribers.
        let connection = Lifetime { _ in }
        let start = Locked(Optional((source: observable, emitter: emitter)))
        return (
            signal,
            {
                if let (source, emitter) = start.withLock({ $0.take() }) {
                    let lifetime = Lifetime(in: connection) { error in
                        emitter.end(error)
                        connection.finish()
                    }
                    source.run(Observer(lifetime, next: emitter.post))
                }
                return Subscription(lifetime: connection)
            }
        )
    }
}
