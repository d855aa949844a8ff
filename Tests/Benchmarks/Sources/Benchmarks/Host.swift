import Foundation

/// What this virtual machine runs on, which gives the processors to others from time to time.
enum Host {
    /// Of all processors together, in seconds; nothing where the system does not tell.
    static func stolenTime() -> Double {
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        // cpu user nice system idle iowait irq softirq steal
        let ticks = line?.split(separator: " ").dropFirst(8).first.flatMap { Double($0) } ?? 0
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Measures again, nine times at most, while the host disturbs; the least disturbed counts.
    ///
    /// What the host takes for a few milliseconds is the latency of every request meanwhile, whoever sends it.
    static func leastDisturbed<Result>(_ measure: () async throws -> Result) async rethrows -> Result {
        func run() async throws -> (result: Result, stolen: Double) {
            let before = stolenTime()
            return (try await measure(), stolenTime() - before)
        }
        var best = try await run()
        for _ in 1..<10 where best.stolen > 0 {
            let other = try await run()
            if other.stolen < best.stolen { best = other }
        }
        return best.result
    }
}
