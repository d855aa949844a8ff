public import MoyaScheduling

extension Subscribable {
    /// Subscribes to the source on `scheduler`: the work of the source begins there.
    ///
    /// ```swift
    /// Observable.from(files).map(parse).subscribe(on: .background).observe(on: .main)
    /// ```
    /// After a cancel before that, the source is not subscribed.
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let work = scheduler.schedule { source.run(downstream) }
            downstream.lifetime.onEnd { work.cancel() }
        })
    }
}
