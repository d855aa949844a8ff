import Foundation
import MoyaScheduling

/// Threads that compute without a pause, so that other threads get few turns.
///
/// They would slow down all tests that run at the same time. Therefore they exist only if the environment variable
/// `MOYA_STRESS_RUNS` says how often a test repeats what it does beside them.
package struct BusyThreads {
    /// The number of repetitions.
    package static var runs: Int { requestedRuns ?? 20 }
    private static let requestedRuns = ProcessInfo.processInfo.environment["MOYA_STRESS_RUNS"].flatMap(Int.init)

    private let isOver = OneShotFlag()

    /// Starts eight threads.
    package init() {
        guard Self.requestedRuns != nil else { return }
        for _ in 0..<8 { Thread.detachNewThread { [isOver] in while !isOver.isSet {} } }
    }

    package func stop() {
        _ = isOver.setIfUnset()
    }
}
