public import Foundation
public import Moya

/// The methods of `Response` as operators, which fail with the same errors.
///
/// The constraint is at each function: at the extension, it made chains of closures slow to type-check.
extension Subscribable {
    /// Fails with `MoyaError.statusCode` unless the status code is in a range.
    public func filter(statusCodes: some RangeExpression<Int> & Sendable) -> Observable<Response>
    where Element == Response {
        map { (response) throws(MoyaError) in try response.filter(statusCodes: statusCodes) }.named()
    }

    /// Fails with `MoyaError.statusCode` unless the status code is the given one.
    public func filter(statusCode: Int) -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filter(statusCode: statusCode) }.named()
    }

    /// Fails with `MoyaError.statusCode` unless the status code is one of 200 to 299.
    public func filterSuccessfulStatusCodes() -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filterSuccessfulStatusCodes() }.named()
    }

    /// Fails with `MoyaError.statusCode` unless the status code is one of 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> where Element == Response {
        map { (response) throws(MoyaError) in try response.filterSuccessfulStatusAndRedirectCodes() }.named()
    }

    /// Parses the content as JSON; fails with `MoyaError.jsonMapping`.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<JSONValue> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapJSON(failsOnEmptyData: failsOnEmptyData) }.named()
    }

    /// Decodes the content as text, or the string at a key path in JSON; fails with `MoyaError.stringMapping`.
    public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapString(atKeyPath: keyPath) }.named()
    }

    /// Decodes the content, or the value at a key path in it, from JSON; fails with `MoyaError.objectMapping`.
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
        }.named()
    }
}

extension Subscribable where Element == ProgressResponse {
    /// Sends the responses only.
    public func filterCompleted() -> Observable<Response> {
        compactMap { $0.response }.named()
    }

    /// Sends the progress from 0 to 1 until it is complete.
    public func filterProgress() -> Observable<Double> {
        filter { !$0.completed }.map { $0.progress }.named(hiding: 2)
    }
}
