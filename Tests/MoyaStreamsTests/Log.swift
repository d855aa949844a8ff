import Moya

/// What happened, in order; from any thread.
final class Log: Sendable {
    private let lines = Guarded<[String]>([])

    var entries: [String] { lines.withLock { $0 } }

    func add(_ entry: String) {
        lines.withLock { $0.append(entry) }
    }
}

/// An error like any other.
struct Failure: Error, Equatable {
    var id = 0
}
