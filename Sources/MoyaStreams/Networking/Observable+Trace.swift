extension Observable {
    /// Subscribes with a trace context: requests that follow the first one are made elsewhere than in its task.
    package func inTrace(_ trace: TraceContext?) -> Observable {
        Observable(run: { observer in TraceContext.$current.withValue(trace) { self.run(observer) } })
    }
}
