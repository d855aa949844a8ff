import Foundation

/// Hints for developers, which debug builds print to standard error.
enum DebugHint {
    /// Prints a hint, unless a hint about the same subject was printed before.
    ///
    /// - Parameters:
    ///   - text: the hint, in one line.
    ///   - subject: identifies the subject of the hint, and is not printed itself.
    static func print(_ text: @autoclosure () -> String, about subject: @autoclosure () -> String) {
        #if DEBUG
            let subject = subject()
            guard printed.withLock({ $0.insert(subject).inserted }) else { return }
            let text = text()
            for observer in observers.withLock({ $0 }) { observer(text) }
            FileHandle.standardError.write(Data("Moya: \(text)\n".utf8))
        #endif
    }

    #if DEBUG
        private static let printed = Locked<Set<String>>([])
        private static let observers = Locked<[@Sendable (String) -> Void]>([])

        /// Calls `observer` with each hint from now on; for tests.
        static func addObserver(_ observer: @escaping @Sendable (String) -> Void) {
            observers.withLock { $0.append(observer) }
        }
    #endif
}
