import Foundation

enum DebugHint {
    /// Prints a hint, unless a hint about the same subject was printed before.
    static func print(_ text: @autoclosure () -> String, about subject: @autoclosure () -> String) {
        #if DEBUG
            let subject = subject()
            guard printed.withLock({ $0.insert(subject).inserted }) else { return }
            let text = text()
            for observer in observers.elements { observer(text) }
            FileHandle.standardError.write(Data("Moya: \(text)\n".utf8))
        #endif
    }

    #if DEBUG
        private static let printed = Locked<Set<String>>([])
        static let observers = LockedArray<@Sendable (String) -> Void>()
    #endif
}
