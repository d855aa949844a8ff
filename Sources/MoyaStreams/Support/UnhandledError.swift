import Foundation
import MoyaScheduling

/// A stream's error that its subscriber has no closure for, with the place of the subscription.
///
/// By default it is printed as one line to standard error.
public struct UnhandledError: Sendable, CustomStringConvertible {
    /// The stream's error.
    public let error: any Error
    /// The file of the subscription, as in `#fileID`.
    public let fileID: String
    /// The line of the subscription.
    public let line: UInt
    /// The chain's operators, from the source to the subscriber; empty in release builds.
    public let operators: [String]

    /// One line with place, error and operators.
    public var description: String {
        let chain = operators.isEmpty ? "" : " (\(operators.joined(separator: " → ")))"
        return "\(fileID):\(line): unhandled stream error: \(error)\(chain)"
    }

    /// Sets the handler of all unhandled errors of the process; `nil` restores the default.
    ///
    /// The handler is called on the thread that delivered the error.
    public static func setHandler(_ handler: (@Sendable (UnhandledError) -> Void)?) {
        let old = self.handler.withLock { current in
            defer { current = handler }
            return current
        }
        _ = old
    }

    private static let handler = Locked<(@Sendable (UnhandledError) -> Void)?>(nil)

    func report() {
        if let handler = Self.handler.withLock({ $0 }) {
            handler(self)
        } else {
            FileHandle.standardError.write(Data("\(self)\n".utf8))
        }
    }
}
