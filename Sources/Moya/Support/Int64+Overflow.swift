extension Int64 {
    /// The sum; nil where it is out of range, as what somebody else declares may be.
    func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
