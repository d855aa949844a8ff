import Foundation

/// What this virtual machine runs on, which gives the processors to others from time to time.
package enum Host {
    /// Of all processors together, in seconds; nothing where the system does not tell.
    package static func stolenTime() -> Double {
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        // cpu user nice system idle iowait irq softirq steal
        let ticks = line?.split(separator: " ").dropFirst(8).first.flatMap { Double($0) } ?? 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The time that all threads of this process have run, in seconds.
    package static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Measures again, nine times at most, while the host disturbs; the least disturbed counts, whatever it says.
    ///
    /// What the host takes for a few milliseconds is the time of all that runs meanwhile, whosever it is.
    ///
    /// - Parameter stolen: how much was stolen during a measurement, on any scale.
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
