/// What becomes of the end of a stream.
@usableFromInline
enum Terminal: Sendable {
    /// Called with the error, or with nil for completion.
    case call(@Sendable ((any Error)?) -> Void)
    /// A completion is not asked for, and nobody handles a failure; the place is that of the subscription.
    ///
    /// Without a closure it needs no memory of its own.
    case report(fileID: String, line: UInt)

    func tell(_ error: (any Error)?, _ trail: Trail) {
        switch self {
        case .call(let call): call(error)
        case .report(let fileID, let line): if let error { reportUnhandled(error, trail, fileID, line) }
        }
    }
}

@usableFromInline
func reportUnhandled(_ error: any Error, _ trail: Trail, _ fileID: String, _ line: UInt) {
    UnhandledError(error: error, fileID: fileID, line: line, operators: trail.operators).report()
}

extension Result where Success == Void {
    /// The error, if it is one.
    @inlinable var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
