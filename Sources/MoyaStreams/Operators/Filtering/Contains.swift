extension Subscribable {
    /// Sends whether a value meets a condition.
    ///
    /// ```text
    /// source:                  1--2--3|
    /// contains { $0 > 1 }:     ---(t|)
    /// contains { $0 > 5 }:     -------(f|)
    /// ```
    /// The source is released after the first value that does. Fails with an error that `condition` throws.
    public func contains(where condition: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        filter(condition).take(1).map { _ in true }.ifEmpty(default: false)
    }

    /// Sends whether all values meet a condition.
    ///
    /// ```text
    /// source:                      1--2--3|
    /// allSatisfy { $0 < 2 }:       ---(f|)
    /// ```
    /// The source is released after the first value that does not. Fails with an error that `condition` throws.
    public func allSatisfy(_ condition: @escaping @Sendable (Element) throws -> Bool) -> Observable<Bool> {
        contains { try !condition($0) }.map { !$0 }
    }
}

extension Subscribable where Element: Equatable {
    /// Sends whether the stream has a value; see ``Subscribable/contains(where:)``.
    public func contains(_ element: Element) -> Observable<Bool> { contains { $0 == element } }
}
