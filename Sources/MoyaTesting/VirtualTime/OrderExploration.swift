extension VirtualTime {
    /// Runs a test repeatedly with different orders of simultaneous work, and expects the same outcome from each run.
    ///
    /// In the first run, work that is due at the same instant runs in the order in which it was scheduled. In each
    /// further run, a seed determines this order. The events of one marble diagram keep their order.
    ///
    /// ```swift
    /// try VirtualTime.explore { time in
    ///     time.play(Observable.merge(time.cold("-a|"), time.cold("-b|")).scan("") { $0 + $1 })
    /// }
    /// ```
    /// - Parameters:
    ///   - seeds: the seeds to try.
    ///   - body: runs the test with the given clock and returns its outcome.
    /// - Returns: the outcome of all runs.
    /// - Throws: the error of `body` if the first run throws. If a further run throws or has a different outcome, an
    ///   ``ExplorationError`` with the seed of that run.
    @discardableResult
    public static func explore<Outcome: Equatable>(
        seeds: some Sequence<UInt64> = 1...100, _ body: (VirtualTime) throws -> Outcome
    ) throws -> Outcome {
        let expected = try body(VirtualTime())
        for seed in seeds {
            let outcome: Outcome
            do {
                outcome = try body(VirtualTime(seed: seed))
            } catch {
                throw ExplorationError(seed: seed, expected: "\(expected)", found: "an error: \(error)")
            }
            guard outcome != expected else { continue }
            throw ExplorationError(seed: seed, expected: "\(expected)", found: "\(outcome)")
        }
        return expected
    }
}

/// The error of a test whose outcome depends on the order of work within an instant.
public struct ExplorationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The seed of the run whose outcome differs; `VirtualTime(seed:)` with this seed repeats the order of that run.
    public let seed: UInt64
    /// The outcome of the first run, in which simultaneous work runs in the order in which it was scheduled.
    public let expected: String
    /// The outcome, or the error, of the run with ``seed``.
    public let found: String

    /// Both outcomes, and the seed.
    public var description: String {
        "the outcome depends on the order within an instant: \(expected), but with VirtualTime(seed: \(seed)) \(found)"
    }
}
