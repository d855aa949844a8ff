extension FixedWidthInteger {
    /// Creates the integer that is nearest to a number in the direction of zero; NaN becomes zero.
    @inlinable
    package init(clamping number: Double) {
        self = number.isNaN ? 0 : Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
