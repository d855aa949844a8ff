public import Foundation
public import Moya

/// What a `Response` can do, as stream transforms: each fails with the same error.
///
/// The constraint stands with each function, not with the extension: there it made chains of closures slow to type-check.
extension Subscribable {
    /// Fails with `MoyaError.statusCode` unless the status code is one of the given ones.
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

    /// The content as JSON of any shape; fails with `MoyaError.jsonMapping`.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<JSONValue> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapJSON(failsOnEmptyData: failsOnEmptyData) }.named()
    }

    /// The content as text, or the string at a key path in JSON; fails with `MoyaError.stringMapping`.
    public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> where Element == Response {
        map { (response) throws(MoyaError) in try response.mapString(atKeyPath: keyPath) }.named()
    }

    /// The content, or what stands at a key path in it, decoded from JSON; fails with `MoyaError.objectMapping`.
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
    /// The responses alone.
    public func filterCompleted() -> Observable<Response> {
        compactMap { $0.response }.named()
    }

    /// The progress alone, from 0 to 1, as long as it is not complete.
    public func filterProgress() -> Observable<Double> {
        filter { !$0.completed }.map { $0.progress }.named(hiding: 2)
    }
}
