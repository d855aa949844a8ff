public import Foundation

/// The content of a request, its query parameters, and the destination of a download.
///
/// The task sets the content type only if the request has none. A multipart form is the exception: it replaces the
/// content type, because the new content type names the boundary between the parts. Query parameters are appended to
/// the query of the URL.
public enum RequestTask: Sendable {
    /// No content and no parameters.
    case requestPlain
    /// A body of bytes. If the request has no content type, `application/octet-stream` is sent.
    case requestData(Data)
    /// A JSON body, encoded with a default encoder.
    ///
    /// The encoder sorts the members of objects, so equal values give equal bytes. The value can also be an array, such
    /// as `[1, 2]` or, for elements of several types, `[1, "a"] as JSONValue`.
    case requestJSONEncodable(any Encodable & Sendable)
    /// A JSON body, encoded with the given encoder.
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
    /// The members of a value as a form, `key=value&key=value`; by default in the body.
    case requestFormEncodable(any Encodable & Sendable, encoding: URLEncoding = .httpBody)
    /// Parameters in the query or in the body, depending on the encoding.
    case requestParameters(parameters: [String: any Sendable], encoding: any ParameterEncoding)
    /// A body of bytes, and parameters in the query.
    case requestCompositeData(
        bodyData: Data, urlParameters: [String: any Sendable], urlEncoding: URLEncoding = .queryString)
    /// A JSON body, and parameters in the query.
    case requestCompositeJSONEncodable(
        any Encodable & Sendable, encoder: JSONEncoder = JSONEncoder(), urlParameters: [String: any Sendable],
        urlEncoding: URLEncoding = .queryString)
    /// Parameters in the body, and parameters in the query, each with its own encoding.
    case requestCompositeParameters(
        bodyParameters: [String: any Sendable], bodyEncoding: any ParameterEncoding,
        urlParameters: [String: any Sendable], urlEncoding: URLEncoding = .queryString)
    /// A file as the body, which is read while it is sent. The content type is derived from the file's extension.
    case uploadFile(URL)
    /// Content of any kind: data, a file, or a stream that is produced while it is sent, see ``RequestBody``.
    ///
    /// ```swift
    /// var task: RequestTask { .upload(.stream { recorder.chunks }, contentType: "audio/mp4") }
    /// ```
    /// Without a content type, `application/octet-stream` is sent, or the type of the file's extension.
    case upload(RequestBody, contentType: String? = nil)
    /// A form of several parts, for methods whose ``HTTPMethod/supportsMultipart`` is `true`.
    case uploadMultipartFormData(MultipartFormData)
    /// A form of several parts, and parameters in the query.
    case uploadCompositeMultipartFormData(
        MultipartFormData, urlParameters: [String: any Sendable], urlEncoding: URLEncoding = .queryString)
    /// A request without content and parameters, whose response is written to a file.
    ///
    /// With a partial file, an interrupted download can be resumed, see ``DownloadDestination``.
    case downloadDestination(DownloadDestination, partialFile: URL? = nil)
    /// Parameters in the query or in the body; the content of the response is written to a file.
    case downloadParameters(
        parameters: [String: any Sendable], encoding: any ParameterEncoding, destination: DownloadDestination,
        partialFile: URL? = nil)
}

extension RequestTask {
    // Adds the query and in-memory content. ``content(for:)`` returns files and multipart forms.
    func apply(to request: inout TransportRequest) throws(MoyaError) {
        switch self {
        case .requestPlain, .uploadFile, .upload, .uploadMultipartFormData, .downloadDestination: break
        case .requestData(let data): request.content = data
        case .requestJSONEncodable(let value): try request.encode(json: value, .sortingKeys)
        case .requestCustomJSONEncodable(let value, let encoder): try request.encode(json: value, encoder)
        case .requestFormEncodable(let value, let encoding): try request.encode(membersOf: value, encoding)
        case .requestParameters(let parameters, let encoding), .downloadParameters(let parameters, let encoding, _, _):
            try request.encode(parameters, encoding)
        case .requestCompositeData(let data, let urlParameters, let urlEncoding):
            request.content = data
            try request.encode(urlParameters, urlEncoding.intoQuery)
        case .requestCompositeJSONEncodable(let value, let encoder, let urlParameters, let urlEncoding):
            try request.encode(json: value, encoder)
            try request.encode(urlParameters, urlEncoding.intoQuery)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters, let urlEncoding):
            if let encoding = bodyEncoding as? URLEncoding, encoding.destination != .httpBody {
                throw .parameterEncoding(
                    ParameterError(
                        "the body of a composite request is encoded by URLEncoding.httpBody or by another encoding"))
            }
            try request.encode(bodyParameters, bodyEncoding)
            try request.encode(urlParameters, urlEncoding.intoQuery)
        case .uploadCompositeMultipartFormData(_, let urlParameters, let urlEncoding):
            try request.encode(urlParameters, urlEncoding.intoQuery)
        }
    }

    func content(for method: HTTPMethod) throws(MoyaError) -> (body: RequestBody, contentType: String)? {
        let (body, contentType): (RequestBody, String?)
        switch self {
        case .uploadFile(let url): (body, contentType) = (.file(url), nil)
        case .upload(let content, let type): (body, contentType) = (content, type)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _, _):
            guard method.supportsMultipart else {
                throw .requestMapping("a \(method) request cannot carry a multipart form. Use POST, PUT or PATCH.")
            }
            return try form.encoded()
        default:
            return nil
        }
        _ = try body.checkedLength()
        let name = if case .file(let url) = body { url.lastPathComponent } else { "" }
        return (body, contentType ?? FileMediaType.ofFile(named: name))
    }

    var download: (destination: DownloadDestination, partialFile: URL?)? {
        switch self {
        case .downloadDestination(let destination, let partialFile): (destination, partialFile)
        case .downloadParameters(_, _, let destination, let partialFile): (destination, partialFile)
        default: nil
        }
    }

    /// `nil` for a task that can't store parameters, such as a file upload.
    func adding(_ new: [String: any Sendable]) -> RequestTask? {
        switch self {
        case .requestPlain:
            .requestParameters(parameters: new, encoding: URLEncoding.default)
        case .requestParameters(let old, let encoding):
            .requestParameters(parameters: old.merging(new) { $1 }, encoding: encoding)
        case .requestCompositeData(let data, let old, let urlEncoding):
            .requestCompositeData(bodyData: data, urlParameters: old.merging(new) { $1 }, urlEncoding: urlEncoding)
        case .requestCompositeJSONEncodable(let value, let encoder, let old, let urlEncoding):
            .requestCompositeJSONEncodable(
                value, encoder: encoder, urlParameters: old.merging(new) { $1 }, urlEncoding: urlEncoding)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let old, let urlEncoding):
            .requestCompositeParameters(
                bodyParameters: bodyParameters, bodyEncoding: bodyEncoding, urlParameters: old.merging(new) { $1 },
                urlEncoding: urlEncoding)
        case .uploadCompositeMultipartFormData(let form, let old, let urlEncoding):
            .uploadCompositeMultipartFormData(form, urlParameters: old.merging(new) { $1 }, urlEncoding: urlEncoding)
        case .downloadDestination(let destination, let partialFile):
            .downloadParameters(
                parameters: new, encoding: URLEncoding.default, destination: destination, partialFile: partialFile)
        case .downloadParameters(let old, let encoding, let destination, let partialFile):
            .downloadParameters(
                parameters: old.merging(new) { $1 }, encoding: encoding, destination: destination,
                partialFile: partialFile)
        default: nil
        }
    }
}

extension JSONEncoder {
    static var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension TransportRequest {
    fileprivate mutating func encode(json value: any Encodable, _ encoder: JSONEncoder) throws(MoyaError) {
        do {
            content = try encoder.encode(value)
        } catch {
            throw .encodableMapping(error)
        }
        setIfMissing("Content-Type", "application/json")
    }
}
