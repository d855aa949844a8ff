import Synchronization

extension Observable {
    /// Sends the events of the stream that is the first to send an event, and cancels the other streams.
    ///
    /// ```text
    /// a:              ---a--b|
    /// b:              -x--y|
    /// race([a, b]):   -x--y|
    /// ```
    /// The first event may also be a failure or completion. The streams are subscribed in order. If `streams` is empty,
    /// no event is sent.
    ///
    /// ```swift
    /// Observable.race(mirrors.map { provider.request(.file(on: $0)) })
    /// ```
    public static func race(_ streams: [Observable]) -> Observable {
        Observable(run: { downstream in
            let subscriptions = Locked<[Lifetime]>([])
            let winner = Atomic(-1)
            // Returns whether the stream at `index` has won; the first call decides and cancels the other streams.
            @Sendable func isWon(by index: Int) -> Bool {
                let (isFirst, original) = winner.compareExchange(
                    expected: -1, desired: index, ordering: .acquiringAndReleasing)
                guard isFirst else { return original == index }
                let all = subscriptions.withLock { $0 }
                for (other, subscription) in all.enumerated() where other != index { subscription.cancel() }
                return true
            }
            for (index, stream) in streams.enumerated() {
                let subscription = Lifetime(in: downstream.lifetime) { _ in }
                subscriptions.withLock { $0.append(subscription) }
                let lifetime = Lifetime(in: subscription) { error in
                    if isWon(by: index) { downstream.lifetime.end(error) }
                }
                guard winner.load(ordering: .acquiring) < 0 else { return lifetime.cancel() }
                stream.run(
                    Observer(lifetime) { element in
                        if isWon(by: index) { downstream.next(element) }
                    })
            }
        })
    }

    /// Sends the events of the stream that is the first to send an event, and cancels the other streams.
    public static func race(_ streams: Observable...) -> Observable { race(streams) }

    /// `race` for signals, and for streams of several types.
    @_disfavoredOverload
    public static func race(_ streams: any Subscribable<Element>...) -> Observable {
        race(streams.map { $0.observable })
    }
}
