import Foundation

/// The host of a virtual machine, which withdraws the processors from time to time.
package enum Host {
    /// The withdrawn time of all processors in seconds; zero if the system does not report it.
    package static func stolenTime() -> Double {
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        // The columns are: cpu user nice system idle iowait irq softirq steal.
        let ticks = line?.split(separator: " ").dropFirst(8).first.flatMap { Double($0) } ?? 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The time that all threads of this process have run, in seconds.
    package static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Measures up to ten times until no time was withdrawn; returns the measurement with the least withdrawn time.
    ///
    ///
    /// Withdrawn time would be counted as time of the contender that runs meanwhile.
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
