public import MoyaScheduling

extension Subscribable {
    /// Subscribes to the source on `scheduler`, so that the source starts its work there.
    ///
    /// ```swift
    /// Observable.from(files).map(parse).subscribe(on: .background).observe(on: .main)
    /// ```
    /// If the subscription is cancelled before it starts on the scheduler, the source is not subscribed.
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let work = scheduler.schedule { source.run(downstream) }
            downstream.lifetime.onEnd { work.cancel() }
        })
    }
}
