extension Int64 {
    /// Returns the sum; `nil` if it overflows, which lengths that a peer declares can cause.
    func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
