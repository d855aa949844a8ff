extension Observable {
    /// Returns a stream that opens a resource for each subscription, and closes it when the subscription ends.
    ///
    /// `close` is called once for each resource: after completion was delivered, before a failure is delivered, or when
    /// the subscription is cancelled. If `open` or `stream` throws, the stream fails with that error.
    ///
    /// ```swift
    /// let lines = Observable.using { try FileReader(path) } stream: { .from($0.lines) } close: { $0.close() }
    /// ```
    /// - Parameters:
    ///   - open: creates the resource, once for each subscription.
    ///   - stream: returns the stream that uses the resource.
    ///   - close: releases the resource.
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
