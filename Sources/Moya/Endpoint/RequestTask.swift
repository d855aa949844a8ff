public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a request carries besides its line and headers.
public enum RequestTask: Sendable {
    /// Nothing.
    case requestPlain
    /// A body of bytes. No content type is set.
    case requestData(Data)
    /// A JSON body, encoded with a default encoder.
    case requestJSONEncodable(any Encodable & Sendable)
    /// A JSON body, encoded with the given encoder.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// Parameters, in the query or the body as the encoding says.
    case requestParameters(parameters: [String: any Sendable], encoding: any ParameterEncoding)
    /// A body of bytes, and parameters in the query.
    case requestCompositeData(bodyData: Data, urlParameters: [String: any Sendable])
    /// Encoded parameters in the body, and parameters in the query.
    case requestCompositeParameters(
        bodyParameters: [String: any Sendable], bodyEncoding: any ParameterEncoding,
        urlParameters: [String: any Sendable])
}

extension RequestTask {
    /// Puts body and query into the request.
    func apply(to request: URLRequest) throws(MoyaError) -> URLRequest {
        switch self {
        case .requestPlain:
            return request
        case .requestData(let data):
            return request.with(body: data)
        case .requestJSONEncodable(let value):
            return try request.with(json: value, JSONEncoder())
        case .requestCustomJSONEncodable(let value, let encoder):
            return try request.with(json: value, encoder)
        case .requestParameters(let parameters, let encoding):
            return try request.encoded(parameters, encoding)
        case .requestCompositeData(let data, let urlParameters):
            return try request.with(body: data).encoded(urlParameters, URLEncoding.queryString)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            if let encoding = bodyEncoding as? URLEncoding, encoding.destination != .httpBody {
                throw .parameterEncoding(
                    ParameterError(
                        "the body of a composite request is encoded by URLEncoding.httpBody or by another encoding"))
            }
            return try request.encoded(bodyParameters, bodyEncoding).encoded(urlParameters, URLEncoding.queryString)
        }
    }

    /// The same task with more parameters, or nil if it has no parameters that these could join.
    func adding(_ new: [String: any Sendable]) -> RequestTask? {
        switch self {
        case .requestPlain:
            .requestParameters(parameters: new, encoding: URLEncoding.default)
        case .requestParameters(let parameters, let encoding):
            .requestParameters(parameters: parameters.merging(new) { $1 }, encoding: encoding)
        case .requestCompositeData(let data, let urlParameters):
            .requestCompositeData(bodyData: data, urlParameters: urlParameters.merging(new) { $1 })
        case .requestData(let data):
            .requestCompositeData(bodyData: data, urlParameters: new)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            .requestCompositeParameters(
                bodyParameters: bodyParameters, bodyEncoding: bodyEncoding,
                urlParameters: urlParameters.merging(new) { $1 })
        case .requestJSONEncodable, .requestCustomJSONEncodable:
            nil
        }
    }
}

extension URLRequest {
    fileprivate func with(body: Data) -> URLRequest {
        var request = self
        request.httpBody = body
        return request
    }

    fileprivate func with(json value: any Encodable, _ encoder: JSONEncoder) throws(MoyaError) -> URLRequest {
        do {
            return with(body: try encoder.encode(value)).withContentType("application/json")
        } catch {
            throw .encodableMapping(error)
        }
    }

    func encoded(_ parameters: [String: any Sendable], _ encoding: any ParameterEncoding) throws(MoyaError)
        -> URLRequest
    {
        do {
            return try encoding.encode(self, with: parameters)
        } catch {
            throw .parameterEncoding(error)
        }
    }

    /// With the content type, unless it has one.
    func withContentType(_ type: String) -> URLRequest {
        guard value(forHTTPHeaderField: "Content-Type") == nil else { return self }
        var request = self
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        return request
    }
}
