import Foundation

extension Subscribable {
    /// Prints lines that begin with `label`: for the subscription, for each event, and for a cancellation.
    ///
    /// ```swift
    /// provider.request(.zen).debug("zen").mapString().subscribeNext { … }
    /// // zen: subscribed
    /// // zen: next Status Code: 200, Data Length: 36
    /// // zen: completed
    /// ```
    /// The lines contain the descriptions of the values: do not use this operator for secret values.
    ///
    /// - Parameters:
    ///   - label: the beginning of each line.
    ///   - write: receives a line without its line break; defaults to printing to standard error.
    public func debug(_ label: String, to write: (@Sendable (String) -> Void)? = nil) -> Observable<Element> {
        let write = write ?? { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        return handleEvents(
            onSubscribe: { write("\(label): subscribed") },
            onNext: { write("\(label): next \($0)") },
            onError: { write("\(label): error \($0)") },
            onCompleted: { write("\(label): completed") },
            onCancel: { write("\(label): cancelled") }
        )
    }
}
