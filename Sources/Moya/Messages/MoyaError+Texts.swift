public import Foundation

extension MoyaError: LocalizedError, CustomStringConvertible {
    /// A sentence that an app can show to its user.
    ///
    /// An example is "The server can't be reached." The sentence depends on the ``kind`` only, and names no URL and no
    /// content; for the kind `other`, it is the text of the cause, and for an error body that is a `LocalizedError`,
    /// the text of the body. ``description`` is for developers.
    public var errorDescription: String? {
        switch kind {
        case .cancelled: "The request was cancelled."
        case .timeout: "The server took too long to respond."
        case .offline: "There is no network connection."
        case .unreachable: "The server can't be reached."
        case .connectionLost: "The connection to the server was lost."
        case .tls: "A secure connection to the server can't be established."
        case .badResponse: "The server's response is not valid."
        case .http where innermost is any AnyErrorResponse: innermost.localizedDescription
        case .http: "The server can't answer this request (status \(response.map { "\($0.statusCode)" } ?? "unknown"))."
        case .decoding: "The server's response can't be read."
        case .request: "The request can't be sent."
        case .other where (innermost as? URLError)?.code == .resourceUnavailable: "The content isn't available offline."
        case .other: innermost.localizedDescription
        }
    }

    /// What to do about the failure, for developers; `nil` if the text of the error says all.
    public var recoverySuggestion: String? {
        switch self {
        case .requestMapping(let reason): reason.remedy
        case .statusCode(let response) where response.statusCode == 401:
            "Check the credentials: AuthenticationInterceptor refreshes them, AccessTokenPlugin sends a token, "
                + "both over https only unless hosts allows http."
        case .jsonMapping(let response) where response.fileURL != nil,
            .objectMapping(_, let response) where response.fileURL != nil:
            "Decode the data of the file at the response's fileURL."
        case .objectMapping(_, let response) where response.data.isEmpty:
            "Decode an optional type if the server may send no content. A stub needs sampleData, or .stubbed { … }."
        case .objectMapping: "Compare the type with the content, which is in the response of this error."
        default:
            switch innermost {
            case let error as URLError: error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
            case let error as any LocalizedError where !(error is MoyaError): error.recoverySuggestion
            default: nil
            }
        }
    }

    /// What has failed, for developers: the method and the URL, the status code or the cause, and the server's message.
    ///
    /// ```text
    /// GET https://api.example/users/7: status 404: {"message":"There is no such user."}
    /// ```
    /// Values with sensitive names, such as `password`, are replaced, as by ``Redaction/secretNames``. The message of
    /// the server is the content of a response whose status code was refused, cut at 500 characters. If a response
    /// could not be decoded, its content is not shown.
    public var description: String {
        switch self {
        case .imageMapping(let response): response.failure("the response body is not an image")
        case .jsonMapping(let response) where response.data.isEmpty,
            .objectMapping(_, let response) where response.data.isEmpty:
            response.failure("the response body \(response.fileURL == nil ? "is empty" : "was saved to a file")")
        case .jsonMapping(let response) where response.isJSON,
            .stringMapping(let response) where response.isJSON && response.headers.textEncoding != nil:
            response.failure("the response body does not have the expected value")
        case .jsonMapping(let response): response.failure("the response body is not valid JSON")
        case .stringMapping(let response): response.failure("the response body is not text in the expected encoding")
        case .objectMapping(let error, let response):
            response.failure("the response body could not be decoded: \(error.reasonWithoutContent)")
        case .encodableMapping(let error as EncodingError):
            "The request body could not be encoded: \(error.reasonWithoutContent)"
        case .encodableMapping(let error): "The request body could not be encoded: \(error)"
        case .statusCode(let response): response.refusal
        case .underlying(let error as any AnyErrorResponse, _): error.response.refusal
        case .underlying(let error as MoyaError, _): error.description
        case .underlying(let error, let response):
            (((error as? URLError)?.request ?? response?.sentRequest?.nameWithoutSecrets).map { "\($0): " } ?? "")
                + TransportError.unavailable(error).description
        case .requestMapping(let reason): TransportError.invalid(reason).description
        case .parameterEncoding(let error): "The parameters could not be encoded: \(error.localizedDescription)"
        }
    }

    private var innermost: any Error {
        guard case .underlying(let error, _) = self else { return underlyingError ?? self }
        return switch error {
        case let error as MoyaError: error.innermost
        case TransportError.unavailable(let error): error
        default: error
        }
    }
}

extension MoyaError: CustomNSError {
    /// The `userInfo` of the error as an `NSError`: its texts and, if there is one, the underlying error.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSDebugDescriptionErrorKey: description]
        info[NSLocalizedDescriptionKey] = errorDescription
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}

extension URLError {
    private static let requestKey = "MoyaRequest"

    /// The method and the URL of the request that failed, without secrets.
    fileprivate var request: String? { userInfo[Self.requestKey] as? String }

    /// Returns the error with the method and the URL of a request, unless it is the cancel of one.
    func naming(_ sent: TransportRequest) -> URLError {
        guard code != .cancelled else { return self }
        var info = userInfo
        info[Self.requestKey] = sent.nameWithoutSecrets
        return URLError(code, userInfo: info)
    }
}

extension TransportRequest {
    fileprivate var nameWithoutSecrets: String { "\(method) \(Redaction.secretNames.url(url.absoluteString))" }
}

extension Response {
    var refusal: String {
        guard !data.isEmpty else { return failure(nil) }
        return failure(Redaction.secretNames.body(data, contentType: headers["Content-Type"], longest: 500))
    }

    fileprivate var isJSON: Bool { (try? JSONValue(data: data)) != nil }

    fileprivate func failure(_ reason: String?) -> String {
        let request = sentRequest.map { "\($0.nameWithoutSecrets): " } ?? ""
        return "\(request)status \(statusCode)" + (reason.map { ": \($0)" } ?? "")
    }
}
