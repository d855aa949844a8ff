extension Subscribable {
    /// A signal of the source's events, and a function that starts the source: for several subscribers that must all see the start.
    ///
    /// The source runs once: calling `connect` again gives the same subscription. Cancelling that stops the source, and
    /// the signal never ends then. Buffers what is replayed.
    ///
    /// ```swift
    /// let (signal, connect) = provider.request(.zen).multicast()
    /// signal.subscribeNext { first($0) }
    /// signal.subscribeNext { second($0) }
    /// let connection = connect()
    /// ```
    /// - Parameter replay: which values a later subscriber of the signal gets first.
    public func multicast(
        replay: ReplayPolicy = .none
    ) -> (signal: Signal<Element>, connect: @Sendable () -> Subscription) {
        let (signal, emitter) = Signal<Element>.pipe(replay: replay)
        // The subscription retains the connection alone; only the source retains what is inside (R21).
        let connection = Lifetime { _ in }
        let start = LockedBox(Optional((source: observable, emitter: emitter)))
        return (
            signal,
            {
                if let (source, emitter) = start.exchange(nil) {
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
