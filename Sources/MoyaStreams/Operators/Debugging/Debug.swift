import Foundation

extension Subscribable {
    /// The same events, each printed as it passes, with a label, the subscription and a cancel too.
    ///
    /// ```swift
    /// provider.request(.zen).debug("zen").mapString().subscribeNext { … }
    /// // zen: subscribed
    /// // zen: next Status Code: 200, Data Length: 36
    /// // zen: completed
    /// ```
    /// Values are printed as they describe themselves: mind what must not be seen.
    ///
    /// - Parameters:
    ///   - label: begins each line.
    ///   - write: takes a line, without its end; nil means standard error.
    public func debug(_ label: String, to write: (@Sendable (String) -> Void)? = nil) -> Observable<Element> {
        let write = write ?? { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        return handleEvents(
            onSubscribe: { write("\(label): subscribed") },
            onNext: { write("\(label): next \($0)") },
            onError: { write("\(label): error \($0)") },
            onCompleted: { write("\(label): completed") },
            onCancel: { write("\(label): cancelled") }
        ).named()
    }
}
