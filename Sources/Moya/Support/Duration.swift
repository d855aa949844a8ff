extension Duration {
    /// A hundred years: what a longer delay means.
    package static let longest = Duration.seconds(100 * 365 * 86_400)

    /// A delay in seconds from outside: what is not a number or negative is zero, what is too long is a hundred years.
    package init(clampedSeconds seconds: Double) {
        let limit = Double(Duration.longest.components.seconds)
        self = seconds > 0 ? .nanoseconds(Int64((min(seconds, limit) * 1e9).rounded())) : .zero
    }

    /// In nanoseconds, rounded up, so that a timer never fires early; at most a hundred years either way.
    package var nanoseconds: Int64 {
        let parts = max(min(self, .longest), .zero - .longest).components
        return parts.seconds * 1_000_000_000 + (parts.attoseconds + 999_999_999) / 1_000_000_000
    }

    /// A text such as `1.5 seconds`.
    var inSeconds: String {
        let seconds = Double(nanoseconds) / 1e9
        let number = seconds == seconds.rounded() ? String(Int64(seconds)) : String(seconds)
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}
