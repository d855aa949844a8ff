extension Subscribable {
    /// Subscribes to the source on `scheduler`, so that the source starts its work there.
    ///
    /// ```swift
    /// Observable.from(files).map(parse).subscribe(on: .background).observe(on: .main)
    /// ```
    /// If the subscription is cancelled before it starts on the scheduler, the source is not subscribed.
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        subscribed { scheduler.schedule($0) }
    }

    /// Subscribes to the source in scheduled work, which the end of the observer's lifetime cancels.
    func subscribed(
        in schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Cancellable
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            // A stage of its own, so that the lifetime forgets the work once it has run.
            let wait = Lifetime(in: downstream.lifetime) { _ in }
            let work = schedule {
                wait.finish()
                source.run(downstream)
            }
            wait.onEnd { work.cancel() }
        })
    }
}
