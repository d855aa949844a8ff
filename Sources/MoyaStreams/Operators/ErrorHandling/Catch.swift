extension Subscribable {
    /// When the source fails, continues with the stream that `recovery` returns for the error.
    ///
    /// ```text
    /// source:             --a--#
    /// catch { r }:        --a----r|      (r: --r|)
    /// ```
    /// The failed source is released before the replacement is subscribed. If `recovery` throws, the stream fails with
    /// that error. The stack does not grow if a replacement itself uses `catch`, at any depth.
    public func `catch`(
        _ recovery: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                guard let error else { return downstream.lifetime.finish() }
                downstream.lifetime.trampoline {
                    do { try recovery(error).run(downstream) } catch { downstream.lifetime.fail(error) }
                }
            }
            source.run(Observer(lifetime, next: downstream.next))
        })
    }
}
