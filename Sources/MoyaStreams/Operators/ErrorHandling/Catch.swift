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
        continued { try $0.map(recovery) }
    }
}
