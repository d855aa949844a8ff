import Foundation

/// Hints for developers, in debug builds alone: each is printed once, to standard error.
enum DebugHint {
    /// - Parameters:
    ///   - text: one line.
    ///   - subject: what it is about; it is printed for the first time only.
    static func print(_ text: @autoclosure () -> String, about subject: @autoclosure () -> String) {
        #if DEBUG
            let subject = subject()
            guard printed.withLock({ $0.insert(subject).inserted }) else { return }
            let text = text()
            if let output = output.withLock({ $0 }) {
                output(text)
            } else {
                FileHandle.standardError.write(Data("Moya: \(text)\n".utf8))
            }
        #endif
    }

    #if DEBUG
        private static let printed = Guarded<Set<String>>([])
        private static let output = Guarded<(@Sendable (String) -> Void)?>(nil)

        /// Sends hints elsewhere; `nil` restores standard error.
        static func setOutput(_ newOutput: (@Sendable (String) -> Void)?) {
            let old = output.withLock { output in
                defer { output = newOutput }
                return output
            }
            withExtendedLifetime(old) {}
        }
    #endif
}
