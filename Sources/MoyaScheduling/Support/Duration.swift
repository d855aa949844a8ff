extension Duration {
    /// The maximum delay, a hundred years; longer delays are shortened to this value.
    package static let longest = Duration.seconds(100 * 365 * 86_400 as Int64)

    /// The nearest duration from zero to ``longest``, so that it can be added to a time.
    package var clamped: Duration { max(min(self, .longest), .zero) }

    /// Creates a duration from seconds, clamped to the range from zero to ``longest``; NaN becomes zero.
    package init(clampedSeconds seconds: Double) {
        let limit = Double(Duration.longest.components.seconds)
        self = seconds > 0 ? .nanoseconds(Int64((min(seconds, limit) * 1e9).rounded())) : .zero
    }

    /// The number of nanoseconds, rounded up so that a timer never fires early, and clamped to ±100 years.
    package var nanoseconds: Int64 {
        let parts = max(min(self, .longest), .zero - .longest).components
        return parts.seconds * 1_000_000_000 + (parts.attoseconds + 999_999_999) / 1_000_000_000
    }

    /// The duration as a text such as `1.5 seconds`.
    package var inSeconds: String {
        let seconds = Double(nanoseconds) / 1e9
        let number = seconds == seconds.rounded() ? String(Int64(seconds)) : String(seconds)
        return number == "1" ? "1 second" : "\(number) seconds"
    }

    package var timeInterval: Double { self / .seconds(1) }
}

extension FixedWidthInteger {
    /// Creates the integer that is nearest to a number in the direction of zero; NaN becomes zero.
    @inlinable
    package init(clamping number: Double) {
        self = number.isNaN ? 0 : Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
