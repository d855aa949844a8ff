public import Foundation

/// Operators that call the methods of `Response` with the same names, and fail with the same errors.
///
/// Each operator has its own constraint on `Element`, because a constraint on the extension would make chains of
/// operators slow to type-check.
extension Subscribable {
    /// Sends responses whose status code is in a range; fails with `MoyaError.statusCode` for any other response.
    public func filter(statusCodes: some RangeExpression<Int> & Sendable) -> Observable<Response>
    where Element == Response {
        map { (response) throws(MoyaError) in try response.filter(statusCodes: statusCodes) }
    }

    /// Sends responses with the given status code; fails with `MoyaError.statusCode` for any other response.
    public func filter(statusCode: Int) -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filter(statusCode: statusCode) }
    }

    /// Sends responses with a status code from 200 to 299; fails with `MoyaError.statusCode` for any other response.
    public func filterSuccessfulStatusCodes() -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filterSuccessfulStatusCodes() }
    }

    /// Sends responses with a status code from 200 to 399; fails with `MoyaError.statusCode` for any other response.
    public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// Parses the content as JSON, or fails with `MoyaError.jsonMapping`.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<JSONValue> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// Returns the content as text, or the string at a key path of JSON content.
    ///
    /// Fails with `MoyaError.stringMapping`, or with `jsonMapping` if a key path is given and the content is not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapString(atKeyPath: keyPath) }
    }

    /// Decodes JSON content, or the JSON value at a key path; fails with `MoyaError.objectMapping`.
    ///
    /// ```swift
    /// provider.request(.showUser(id: 7)).map(User.self).subscribeNext { print($0.name) }
    /// ```
    public func map<Value: Decodable & Sendable>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> Observable<Value> where Element == Response {
        map { (response) throws(MoyaError) in
            try response.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        }
    }
}

extension Subscribable where Element == ProgressResponse {
    /// Sends the response of the last progress value, and drops all other progress values.
    public func filterCompleted() -> Observable<Response> {
        compactMap { $0.response }
    }

    /// Sends the progress of the request, from 0 to 1; drops the last progress value, which contains the response.
    public func filterProgress() -> Observable<Double> {
        filter { !$0.completed }.map { $0.progress }
    }
}
