/// The action that a lifetime performs for the terminal event of its stream.
@usableFromInline
enum TerminalHandler: Sendable {
    /// Calls a function with the error, or with `nil` for completion.
    case call(@Sendable ((any Error)?) -> Void)
    /// As `call`; also calls the function, with `nil`, when the lifetime is released without an end.
    ///
    /// The source has then released its observer, so that no event can follow. A task that waits for an event uses
    /// this case, and does not retain the lifetime.
    case callWhenReleased(@Sendable ((any Error)?) -> Void)
    /// Ignores completion and reports a failure to ``UnhandledError``, with the source location of the subscription.
    ///
    /// This case needs no allocation, unlike a closure.
    case report(fileID: String, line: UInt)

    func notify(_ error: (any Error)?, _ operatorNames: OperatorNames) {
        switch self {
        case .call(let call), .callWhenReleased(let call): call(error)
        case .report(let fileID, let line): if let error { reportUnhandled(error, operatorNames, fileID, line) }
        }
    }
}

@usableFromInline
func reportUnhandled(_ error: any Error, _ operatorNames: OperatorNames, _ fileID: String, _ line: UInt) {
    UnhandledError(error: error, fileID: fileID, line: line, operators: operatorNames.fromSource).report()
}

extension Result where Success == Void {
    /// The error of a failure; `nil` for a success.
    @inlinable var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
