import Foundation
import MallocCounter

/// One kind of work that several contenders do.
///
/// The ratio of two contenders is computed within each round, because the speed of the machine changes from round to
/// round.
package struct Workload: Sendable {
    package struct Contender: Sendable {
        package let name: String
        /// Does the work once and returns a checksum, which must be equal for all contenders.
        package let run: @Sendable () async -> Int
        /// The same work without the operations; its time is subtracted.
        package let rest: (@Sendable () async -> Int)?

        package init(
            name: String, rest: (@Sendable () async -> Int)? = nil, run: @escaping @Sendable () async -> Int
        ) {
            self.name = name
            self.rest = rest
            self.run = run
        }
    }

    /// A requirement: `contender` takes at most `limit` times as long as `other`.
    package struct Bar: Sendable {
        package let contender: String
        package let other: String
        package let limit: Double
        /// The bars of a group are missed only together: the time of a chain varies by 40 % with its place in the
        /// binary, so that two chains of the same kind are measured and the better one counts.
        package var group: String?

        package init(contender: String, other: String, limit: Double, group: String? = nil) {
            self.contender = contender
            self.other = other
            self.limit = limit
            self.group = group
        }

        /// The tolerance of the gate, 20 %, because shared machines are noisy.
        package static let slack = 1.2

        package static func atMost(_ limit: Double, times other: String, group: String? = nil) -> Bar {
            Bar(contender: "ours", other: other, limit: limit, group: group)
        }

        package static func atLeast(_ factor: Double, timesFasterThan other: String, group: String? = nil) -> Bar {
            Bar(contender: "ours", other: other, limit: 1 / factor, group: group)
        }
    }

    package let name: String
    /// The number of operations of one run.
    package let operations: Int
    package var contenders: [Contender]
    package var bars: [Bar] = []
    /// The maximum number of allocations of the contender `ours` for one operation.
    package var mallocs: Double?
    /// The contender whose allocations are added to `mallocs`; `nil` for none.
    package var mallocsBesides: String?
    /// Whether the processor time of the process is measured instead of the elapsed time.
    package var measuresProcessorTime = false

    package init(
        name: String, operations: Int, contenders: [Contender], bars: [Bar] = [], mallocs: Double? = nil
    ) {
        self.name = name
        self.operations = operations
        self.contenders = contenders
        self.bars = bars
        self.mallocs = mallocs
    }
}

package struct Measurement {
    /// The times of the contenders in one round, for one operation.
    package struct Round {
        package var nanoseconds: [String: Double] = [:]
        package var mallocs: [String: Double] = [:]
        /// The time that the host has withdrawn in the round, in seconds, for all contenders together.
        package var stolen = 0.0
    }

    package let workload: Workload
    /// Nanoseconds per operation, by contender, one for each round.
    package var rounds: [String: [Double]] = [:]
    /// Allocations per operation, by contender, in the round with the fewest.
    package var mallocs: [String: Double] = [:]

    package mutating func add(_ round: Round) {
        for (contender, nanoseconds) in round.nanoseconds { rounds[contender, default: []].append(nanoseconds) }
        mallocs.merge(round.mallocs, uniquingKeysWith: min)
    }

    package func median(_ contender: String) -> Double? {
        rounds[contender].map(Benchmarks.median)
    }

    package func ratio(_ contender: String, to other: String) -> Double? {
        guard let ours = rounds[contender], let theirs = rounds[other] else { return nil }
        return Benchmarks.median(zip(ours, theirs).map { $0 / $1 })
    }

    package func misses(_ bar: Workload.Bar) -> Bool {
        ratio(bar.contender, to: bar.other).map { $0 > bar.limit * Workload.Bar.slack } ?? false
    }

    package func description(of bar: Workload.Bar) -> String {
        let ratio = ratio(bar.contender, to: bar.other)?.formatted(2) ?? "-"
        return
            "\(workload.name): \(bar.contender) takes \(ratio) x \(bar.other), allowed are \(bar.limit.formatted(3)) x and 20 %"
    }
}

extension Benchmarks {
    /// Returns the descriptions of the missed bars.
    package static func missedBars(_ measurements: [Measurement]) -> [String] {
        let all = measurements.flatMap { measurement in
            measurement.workload.bars.map {
                (bar: $0, isMissed: measurement.misses($0), text: measurement.description(of: $0))
            }
        }
        let slow = all.filter { one in
            guard one.isMissed, let group = one.bar.group else { return one.isMissed }
            return all.allSatisfy { $0.bar.group != group || $0.bar.other != one.bar.other || $0.isMissed }
        }.map(\.text)
        let wasteful = measurements.compactMap { measurement -> String? in
            // The tolerance is for allocations that are done once in a run.
            let others = measurement.workload.mallocsBesides.flatMap { measurement.mallocs[$0] } ?? 0
            guard let limit = measurement.workload.mallocs.map({ $0 + others }),
                let count = measurement.mallocs["ours"], count > limit + 0.01
            else { return nil }
            return "\(measurement.workload.name): \(count.formatted(2)) allocations, allowed are \(limit.formatted(0))"
        }
        return slow + wasteful
    }

    /// Waits until a condition is true.
    ///
    /// - Throws: a `URLError` after the time limit.
    package static func wait(for limit: Duration = .seconds(10), until holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + limit
        while try await !holds() {
            guard ContinuousClock.now < end else { throw URLError(.timedOut) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    package static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The minimum time of a contender in a round: shorter times are too noisy on a shared machine.
    package static let shortest = Duration.milliseconds(30)

    /// Runs every contender of every workload in each round; a first round warms up and is not counted.
    package static func measure(_ workloads: [Workload], rounds: Int) async -> [Measurement] {
        var measurements = workloads.map { Measurement(workload: $0) }
        for round in 0...rounds {
            for index in workloads.indices {
                let result = await Host.leastDisturbed(by: \.stolen) { await run(workloads[index]) }
                if round > 0 { measurements[index].add(result) }
            }
        }
        return measurements
    }

    private static func run(_ workload: Workload) async -> Measurement.Round {
        var checksums: Set<Int> = []
        var round = Measurement.Round()
        let stolen = Host.stolenTime()
        func cost(
            of run: @Sendable () async -> Int, isChecked: Bool = true
        ) async -> (nanoseconds: Double, mallocs: Double) {
            tidy_allocations()
            let mallocs = allocation_count()
            let start = ContinuousClock.now
            let processorTime = Host.processorTime()
            var time = Duration.zero
            var times = 0
            while time < shortest {
                let checksum = await run()
                if isChecked { checksums.insert(checksum) }
                times += 1
                time = ContinuousClock.now - start
            }
            if workload.measuresProcessorTime { time = .seconds(Host.processorTime() - processorTime) }
            let operations = Double(times * workload.operations)
            return (time / .nanoseconds(1) / operations, Double(allocation_count() - mallocs) / operations)
        }
        for contender in workload.contenders {
            let all = await cost(of: contender.run)
            var rest = (nanoseconds: 0.0, mallocs: 0.0)
            if let run = contender.rest { rest = await cost(of: run, isChecked: false) }
            round.nanoseconds[contender.name] = all.nanoseconds - rest.nanoseconds
            round.mallocs[contender.name] = all.mallocs - rest.mallocs
        }
        round.stolen = Host.stolenTime() - stolen
        precondition(checksums.count == 1, "\(workload.name): the contenders disagree: \(checksums)")
        return round
    }
}

extension Double {
    package func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
