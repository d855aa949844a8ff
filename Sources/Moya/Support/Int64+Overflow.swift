extension Int64 {
    /// Returns the sum; `nil` if it is out of range, as lengths that a peer declares may be.
    func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
