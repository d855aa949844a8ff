import Foundation

/// Decides whether a failed operation is retried, and after which delay.
///
/// ```swift
/// provider.request(.zen)
///     .retry(.exponential(initial: .milliseconds(200), times: 4, cap: .seconds(5)), on: .background)
/// ```
public struct RetryPolicy: Sendable {
    /// The random variation of delays, so that many clients do not retry at the same moment.
    public enum Jitter: Sendable, Hashable {
        /// No variation.
        case none
        /// A random duration between zero and the whole delay.
        case full
        /// A random duration between half of the delay and the whole delay.
        case equal
    }

    /// The maximum number of retries.
    public let times: Int

    private let initial: Duration
    private let multiplier: Double
    private let cap: Duration
    private let jitter: Jitter
    private let seed: UInt64?
    private let isWorthwhile: @Sendable (any Error, Int) -> Bool

    /// Returns a policy with the same delay before each retry.
    ///
    /// The parameters are those of ``exponential(initial:multiplier:times:cap:jitter:seed:when:)``.
    public static func constant(
        _ delay: Duration, times: Int, jitter: Jitter = .none, seed: UInt64? = nil,
        when isWorthwhile: @escaping @Sendable (any Error, Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        exponential(
            initial: delay, multiplier: 1, times: times, cap: delay, jitter: jitter, seed: seed, when: isWorthwhile)
    }

    /// Returns a policy whose delay grows with each retry.
    ///
    /// - Parameters:
    ///   - initial: the delay before the first retry.
    ///   - multiplier: the ratio of a delay to the previous one; at least 1.
    ///   - times: the maximum number of retries.
    ///   - cap: the maximum delay.
    ///   - jitter: the random variation of the delay.
    ///   - seed: makes the variation reproducible, for tests.
    ///   - isWorthwhile: called with the error and the number of the retry, from 1; returns whether to retry.
    public static func exponential(
        initial: Duration, multiplier: Double = 2, times: Int, cap: Duration = .seconds(3600), jitter: Jitter = .full,
        seed: UInt64? = nil, when isWorthwhile: @escaping @Sendable (any Error, Int) -> Bool = { _, _ in true }
    ) -> RetryPolicy {
        RetryPolicy(
            times: max(times, 0), initial: initial.clamped, multiplier: multiplier.isFinite ? max(multiplier, 1) : 1,
            cap: cap.clamped, jitter: jitter, seed: seed, isWorthwhile: isWorthwhile)
    }

    /// Returns the delay before a retry, or `nil` if the operation is not retried.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - error: the error of the previous attempt.
    public func delay(beforeRetry retry: Int, after error: any Error) -> Duration? {
        guard retry > 0, retry <= times, isWorthwhile(error, retry) else { return nil }
        let grown = initial / .seconds(1) * pow(multiplier, Double(retry - 1))
        let delay = min(Duration(clampedSeconds: grown), cap)
        return switch jitter {
        case .none: delay
        case .full: delay * randomFraction(of: retry)
        case .equal: delay / 2 + delay / 2 * randomFraction(of: retry)
        }
    }

    private func randomFraction(of retry: Int) -> Double {
        guard let seed else { return .random(in: 0...1) }
        var generator = SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(retry)))
        return .random(in: 0...1, using: &generator)
    }
}

extension RetryPolicy {
    /// Creates a policy whose delays grow exponentially.
    ///
    /// The delay before the first retry is at most 0.5 seconds. This maximum doubles with each retry, up to 30 seconds.
    /// Each delay is a random duration between zero and the maximum. To choose other values, use
    /// ``exponential(initial:multiplier:times:cap:jitter:seed:when:)``.
    ///
    /// ```swift
    /// provider.request(.zen).retry(RetryPolicy(times: 3), on: .background)
    /// ```
    /// - Parameter times: the maximum number of retries.
    public init(times: Int) {
        self = .exponential(initial: .milliseconds(500), times: times, cap: .seconds(30))
    }
}
