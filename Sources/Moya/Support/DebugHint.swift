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
