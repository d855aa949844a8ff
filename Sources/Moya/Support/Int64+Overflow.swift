extension Int64 {
    /// Returns the sum, or `nil` if it overflows; a length that a server declares can cause an overflow.
    func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
