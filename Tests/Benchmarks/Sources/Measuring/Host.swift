import Foundation

/// The host of this virtual machine, which withdraws the processors from time to time.
package enum Host {
    /// The withdrawn time of all processors in seconds; zero if the system does not report it.
    package static func stolenTime() -> Double {
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        // cpu user nice system idle iowait irq softirq steal
        let ticks = line?.split(separator: " ").dropFirst(8).first.flatMap { Double($0) } ?? 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Repeats a measurement, at most nine times, while the host withdraws processors; returns the least disturbed
    /// result.
    ///
    /// Withdrawn time is measured as time of the contender that runs meanwhile.
    ///
    /// - Parameter stolen: the withdrawn time of a measurement, in any unit.
    package static func leastDisturbed<Result>(
        by stolen: (Result) -> Double, _ measure: () async throws -> Result
    ) async rethrows -> Result {
        var best = try await measure()
        for _ in 1..<10 where stolen(best) > 0 {
            let other = try await measure()
            if stolen(other) < stolen(best) { best = other }
        }
        return best
    }
}
