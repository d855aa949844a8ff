extension Observable {
    /// A stream over something that each subscription opens, and closes at its end.
    ///
    /// `close` is called once, after the end has gone down, or on a cancel; a failure of the stream closes first. If `open`
    /// or `stream` throws, the stream fails with that.
    ///
    /// ```swift
    /// let lines = Observable.using { try FileReader(path) } stream: { .from($0.lines) } close: { $0.close() }
    /// ```
    /// - Parameters:
    ///   - open: makes the resource, once for each subscription.
    ///   - stream: makes a stream of it.
    ///   - close: gives the resource back.
    public static func using<Resource: Sendable>(
        _ open: @escaping @Sendable () throws -> Resource,
        stream: @escaping @Sendable (Resource) throws -> Observable,
        close: @escaping @Sendable (Resource) -> Void
    ) -> Observable {
        Observable(run: { downstream in
            let lifetime = Lifetime(in: downstream.lifetime) { downstream.lifetime.end($0) }
            do {
                let resource = try open()
                lifetime.onEnd { close(resource) }
                guard !lifetime.isOver else { return }
                try stream(resource).run(Observer(lifetime, next: downstream.next))
            } catch { lifetime.fail(error) }
        })
    }
}
