extension VirtualTime {
    /// Runs a test with many orders of what happens at the same instant, and expects the same outcome from each.
    ///
    /// The first run is first in, first out; each further one permutes work of the same instant by its seed. The events
    /// of one diagram keep their order.
    ///
    /// ```swift
    /// try VirtualTime.explore { time in
    ///     time.play(.merge(time.cold("-a|").observable, time.cold("-b|").observable).scan(0) { … })
    /// }
    /// ```
    /// - Parameters:
    ///   - seeds: the seeds to try.
    ///   - body: makes everything anew with the clock that it is given, and returns what has come out.
    /// - Returns: the outcome.
    /// - Throws: an ``ExplorationError`` with the first seed whose outcome is another, or what `body` throws.
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

/// An outcome that depends on the order of what happens at the same instant.
public struct ExplorationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The seed of the order: `VirtualTime(seed:)` shows it again.
    public let seed: UInt64
    /// The outcome first in, first out.
    public let expected: String
    /// The outcome in the other order.
    public let found: String

    /// Both outcomes, and the seed.
    public var description: String {
        "the outcome depends on the order within an instant: \(expected), but with VirtualTime(seed: \(seed)) \(found)"
    }
}
