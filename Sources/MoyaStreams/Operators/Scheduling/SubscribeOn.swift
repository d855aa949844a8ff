public import MoyaScheduling

extension Subscribable {
    /// The same events, of a source that is subscribed by `scheduler`: its work begins there.
    ///
    /// ```swift
    /// Observable.from(files).map(parse).subscribe(on: .background).observe(on: .main)
    /// ```
    /// A cancel before its turn has come keeps the source from being subscribed.
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let work = scheduler.schedule { source.run(downstream) }
            downstream.lifetime.onEnd { work.cancel() }
        })
    }
}
