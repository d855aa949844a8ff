import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Parameters as `key=value&key=value`, in the query or in the body.
///
/// Keys are sorted. Arrays are written `key[]=a&key[]=b`, dictionaries `key[member]=a`, booleans `1` and `0`, and what is
/// nil is left out. In the body it sets `Content-Type: application/x-www-form-urlencoded; charset=utf-8`, unless there is
/// a content type.
public struct URLEncoding: ParameterEncoding {
    /// Where the parameters go.
    public enum Destination: Sendable, Hashable {
        /// The query of GET, HEAD and DELETE, the body of other methods.
        case methodDependent
        /// The query, behind what is there.
        case queryString
        /// The body.
        case httpBody
    }

    /// The query of GET, HEAD and DELETE, the body of other methods.
    public static let `default` = URLEncoding()
    /// Always the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// Always the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// Where the parameters go.
    public let destination: Destination

    /// - Parameter destination: where the parameters go.
    public init(destination: Destination = .methodDependent) {
        self.destination = destination
    }

    /// Puts the parameters into the query or the body.
    ///
    /// Empty parameters change nothing.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters, !parameters.isEmpty else { return request }
        let text = try query(parameters)
        guard !text.isEmpty else { return request }
        var request = request
        if goesIntoQuery(request.httpMethod ?? "GET") {
            guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
                throw ParameterError("the request has no URL to put the parameters into")
            }
            components.percentEncodedQuery = [components.percentEncodedQuery, text].compactMap(\.self)
                .filter { !$0.isEmpty }.joined(separator: "&")
            request.url = components.url
        } else {
            request = request.withContentType("application/x-www-form-urlencoded; charset=utf-8")
            request.httpBody = Data(text.utf8)
        }
        return request
    }

    private func goesIntoQuery(_ method: String) -> Bool {
        switch destination {
        case .queryString: true
        case .httpBody: false
        case .methodDependent: [.get, .head, .delete].contains(HTTPMethod(rawValue: method))
        }
    }

    private func query(_ parameters: [String: any Sendable]) throws(ParameterError) -> String {
        guard case .dictionary(let members) = try ParameterValue(parameters, at: "") else { return "" }
        return members.sorted { $0.key < $1.key }.flatMap { pairs($0.key, $0.value) }
            .map { "\($0.percentEncoded(allowing: .query))=\($1.percentEncoded(allowing: .query))" }
            .joined(separator: "&")
    }

    private func pairs(_ key: String, _ value: ParameterValue) -> [(String, String)] {
        switch value {
        case .null: []
        case .array(let elements): elements.flatMap { pairs("\(key)[]", $0) }
        case .dictionary(let members):
            members.sorted { $0.key < $1.key }.flatMap { pairs("\(key)[\($0.key)]", $0.value) }
        case .bool(let value): [(key, value ? "1" : "0")]
        default: [(key, value.text ?? "")]
        }
    }
}
