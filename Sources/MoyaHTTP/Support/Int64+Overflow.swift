extension Int64 {
    /// Returns the sum, or `nil` if the sum overflows, for example because a server has declared a huge length.
    package func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
