import Foundation

/// The host of a virtual machine, which withdraws the processors from time to time.
package enum Host {
    /// The name of the processor, and the number of those that are in use, such as "AMD EPYC, 2 cores".
    package static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
        let name = lines?.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return "\(name?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"), "
            + "\(ProcessInfo.processInfo.activeProcessorCount) cores"
    }

    /// The average number of threads that ran or were ready to run in the last minute, of all processes.
    package static func load() -> Double {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : .nan
    }

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
