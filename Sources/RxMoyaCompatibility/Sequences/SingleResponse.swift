public import Foundation
public import MoyaStreams

extension PrimitiveSequence where Trait == SingleTrait, Element == Response {
    /// Sends the response if its status code is in `statusCodes`; otherwise fails with `MoyaError.statusCode`.
    public func filter(statusCodes: some RangeExpression<Int> & Sendable) -> Self {
        map { try $0.filter(statusCodes: statusCodes) }
    }

    /// Sends the response if its status code is `statusCode`; otherwise fails with `MoyaError.statusCode`.
    public func filter(statusCode: Int) -> Self { map { try $0.filter(statusCode: statusCode) } }
    /// Sends the response if its status code is from 200 to 299; otherwise fails with `MoyaError.statusCode`.
    public func filterSuccessfulStatusCodes() -> Self { map { try $0.filterSuccessfulStatusCodes() } }

    /// Sends the response if its status code is from 200 to 399; otherwise fails with `MoyaError.statusCode`.
    public func filterSuccessfulStatusAndRedirectCodes() -> Self {
        map { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// Parses the content as JSON; fails with `MoyaError.jsonMapping` if the content is not JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) -> PrimitiveSequence<SingleTrait, JSONValue> {
        map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// Decodes the content as text, or the string at a key path in JSON content.
    public func mapString(atKeyPath keyPath: String? = nil) -> PrimitiveSequence<SingleTrait, String> {
        map { try $0.mapString(atKeyPath: keyPath) }
    }

    /// Decodes JSON content, or the value at a key path in the content.
    public func map<Value: Decodable & Sendable>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> PrimitiveSequence<SingleTrait, Value> {
        map { response in
            try response.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
        }
    }
}
