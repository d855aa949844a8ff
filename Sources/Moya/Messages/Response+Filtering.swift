extension Response {
    /// Returns the response if the status code is in the given range.
    ///
    /// - Throws: `MoyaError.statusCode` with the response.
    public func filter(statusCodes: some RangeExpression<Int>) throws(MoyaError) -> Response {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// Returns the response if it has the given status code.
    ///
    /// - Throws: `MoyaError.statusCode` with the response.
    public func filter(statusCode: Int) throws(MoyaError) -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// Returns the response if the status code is in the range 200 to 299.
    ///
    /// - Throws: `MoyaError.statusCode` with the response.
    public func filterSuccessfulStatusCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...299)
    }

    /// Returns the response if the status code is in the range 200 to 399.
    ///
    /// - Throws: `MoyaError.statusCode` with the response.
    public func filterSuccessfulStatusAndRedirectCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...399)
    }
}
