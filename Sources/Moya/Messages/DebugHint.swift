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

extension HostAllowList {
    /// Whether `sender` may send a credential with a request; prints a hint if only https is missing.
    func allow(_ url: URL, for sender: String) -> Bool {
        if allow(url) { return true }
        if refusesHTTP(url), let host = url.host(percentEncoded: false) {
            DebugHint.print(
                "\(sender) sends no credential over http. To allow it, add \"http://\(host)\" to "
                    + "hosts, with all other hosts of the credential.",
                about: "\(sender) \(host)")
        }
        return false
    }
}
