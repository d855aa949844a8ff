extension Int64 {
    /// Returns the sum, or `nil` if it overflows, as it may with a length that a server declares.
    func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
