import Foundation

/// An error of a stream whose subscriber has no closure for errors, with the source location of the subscription.
///
/// By default, the error is printed to standard error.
public struct UnhandledError: Sendable, CustomStringConvertible {
    /// The stream's error.
    public let error: any Error
    /// The file of the subscription, as in `#fileID`.
    public let fileID: String
    /// The line of the subscription, as in `#line`.
    public let line: UInt

    /// The source location and the error.
    public var description: String { "\(fileID):\(line): unhandled stream error: \(error)" }

    /// Sets the handler of all unhandled errors of the process; `nil` restores the default.
    ///
    /// The handler is called on the thread that delivers the error.
    public static func setHandler(_ handler: (@Sendable (UnhandledError) -> Void)?) {
        _ = self.handler.withLock { exchange(&$0, with: handler) }
    }

    private static let handler = Locked<(@Sendable (UnhandledError) -> Void)?>(nil)

    @usableFromInline
    init(error: any Error, fileID: String, line: UInt) {
        self.error = error
        self.fileID = fileID
        self.line = line
    }

    @usableFromInline
    func report() {
        if let handler = Self.handler.withLock({ $0 }) {
            handler(self)
        } else {
            FileHandle.standardError.write(Data("\(self)\n".utf8))
        }
    }
}
