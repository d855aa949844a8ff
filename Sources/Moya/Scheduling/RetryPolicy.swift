import Foundation

/// When to try again what has failed, and after how long.
///
/// ```swift
/// provider.request(.zen)
///     .retry(.exponential(initial: .milliseconds(200), times: 4, cap: .seconds(5)), on: .background)
/// ```
public struct RetryPolicy: Sendable {
    /// How much a delay is varied, so that many clients do not come back at the same moment.
    public enum Jitter: Sendable, Hashable {
        /// Not at all.
        case none
        /// Anything from nothing to the whole delay.
        case full
        /// Half of the delay, and anything up to the other half.
        case equal
    }

    /// How often to try again at most.
    public let times: Int

    private let initial: Duration
    private let multiplier: Double
    private let cap: Duration
    private let jitter: Jitter
    private let seed: UInt64?
    private let isWorthwhile: @Sendable (any Error, Int) -> Bool

    private init(
        initial: Duration, multiplier: Double, times: Int, cap: Duration, jitter: Jitter, seed: UInt64?,
        isWorthwhile: @escaping @Sendable (any Error, Int) -> Bool
    ) {
        self.initial = min(max(initial, .zero), .longest)
        self.multiplier = multiplier.isFinite ? max(multiplier, 1) : 1
        self.times = max(times, 0)
        self.cap = min(max(cap, .zero), .longest)
        self.jitter = jitter
        self.seed = seed
        self.isWorthwhile = isWorthwhile
    }

    /// The same delay before each retry.
    ///
    /// - Parameters:
    ///   - delay: how long to wait.
    ///   - times: how often to try again at most.
    ///   - jitter: how much the delay is varied.
    ///   - seed: makes the variation the same each time, for tests.
    ///   - isWorthwhile: given the error and the number of the retry, from 1; false gives up.
    public static func constant(
        _ delay: Duration, times: Int, jitter: Jitter = .none, seed: UInt64? = nil,
        when isWorthwhile: @escaping @Sendable (any Error, Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        RetryPolicy(
            initial: delay, multiplier: 1, times: times, cap: delay, jitter: jitter, seed: seed,
            isWorthwhile: isWorthwhile)
    }

    /// A delay that grows with each retry.
    ///
    /// - Parameters:
    ///   - initial: how long to wait before the first retry.
    ///   - multiplier: by how much each further delay is longer; at least 1.
    ///   - times: how often to try again at most.
    ///   - cap: the longest delay.
    ///   - jitter: how much the delay is varied.
    ///   - seed: makes the variation the same each time, for tests.
    ///   - isWorthwhile: given the error and the number of the retry, from 1; false gives up.
    public static func exponential(
        initial: Duration, multiplier: Double = 2, times: Int, cap: Duration = .seconds(3600), jitter: Jitter = .full,
        seed: UInt64? = nil, when isWorthwhile: @escaping @Sendable (any Error, Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        RetryPolicy(
            initial: initial, multiplier: multiplier, times: times, cap: cap, jitter: jitter, seed: seed,
            isWorthwhile: isWorthwhile)
    }

    /// How long to wait before a retry; nil to give up.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - error: why the attempt before it failed.
    public func delay(beforeRetry retry: Int, after error: any Error) -> Duration? {
        guard retry > 0, retry <= times, isWorthwhile(error, retry) else { return nil }
        let grown = initial / .seconds(1) * pow(multiplier, Double(retry - 1))
        let delay = min(Duration(clampedSeconds: grown), cap)
        return switch jitter {
        case .none: delay
        case .full: delay * share(of: retry)
        case .equal: delay / 2 + delay / 2 * share(of: retry)
        }
    }

    /// From 0 to 1.
    private func share(of retry: Int) -> Double {
        guard let seed else { return .random(in: 0...1) }
        var generator = SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(retry)))
        return .random(in: 0...1, using: &generator)
    }
}
