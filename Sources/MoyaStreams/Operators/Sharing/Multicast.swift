extension Subscribable {
    /// A signal of the source's events, and what starts the source: for those who want to listen all before it begins.
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
    /// - Parameter replay: what a late subscriber of the signal is given first.
    public func multicast(
        replay: ReplayPolicy = .none
    ) -> (signal: Signal<Element>, connect: @Sendable () -> Subscription) {
        let (signal, emitter) = Signal<Element>.pipe(replay: replay)
        // The token keeps the connection alone, and only the source what stands in it (R21).
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
