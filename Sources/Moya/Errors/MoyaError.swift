public import Foundation

/// What can go wrong with a request, from the target to the mapping of its answer.
public enum MoyaError: Error {
    /// The content is no image.
    case imageMapping(Response)
    /// The content is no JSON.
    case jsonMapping(Response)
    /// The content is no text in the expected encoding.
    case stringMapping(Response)
    /// The content is not of the type that it was to be decoded to: the decoder's error.
    case objectMapping(any Error, Response)
    /// The body could not be encoded: the encoder's error.
    case encodableMapping(any Error)
    /// The status code is not one of the expected.
    case statusCode(Response)
    /// Somebody else's error, mostly a `URLError`, with what had been received.
    case underlying(any Error, Response?)
    /// No request can be made: what is wrong, and where.
    case requestMapping(String)
    /// The parameters could not be encoded.
    case parameterEncoding(any Error)
}

extension MoyaError {
    /// The kinds of failure that programs tell apart.
    public enum Kind: Sendable, Hashable {
        /// It was cancelled.
        case cancelled
        /// A deadline passed.
        case timeout
        /// There is no network.
        case offline
        /// The server's name could not be resolved, or no connection be made to it.
        case unreachable
        /// The connection was lost before the answer was complete.
        case connectionLost
        /// No secure connection: certificates, pins, protocol versions.
        case tls
        /// The answer is not HTTP, or not complete.
        case badResponse
        /// An answer with a status code that was not expected.
        case http
        /// An answer whose content could not be mapped.
        case decoding
        /// A request that could not be made: URL, headers, parameters or body.
        case request
        /// Something else.
        case other
    }

    /// Of which kind it is, the same for stubs and for every engine.
    public var kind: Kind {
        switch self {
        case .imageMapping, .jsonMapping, .stringMapping, .objectMapping: .decoding
        case .encodableMapping, .requestMapping, .parameterEncoding: .request
        case .statusCode: .http
        case .underlying(let error as MoyaError, _): error.kind
        case .underlying(let error as URLError, _): Kind(error.code)
        case .underlying(is CancellationError, _): .cancelled
        case .underlying(is any AnyErrorResponse, _): .http
        case .underlying: .other
        }
    }

    /// What had been received, if anything.
    ///
    /// Of an answer that a deadline ended, that is its head and what is in memory of its content. An engine that delivers
    /// answers whole has told nothing until then; it tells at once where there is progress to report, a limit of the size,
    /// a download or a stream.
    public var response: Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error of somebody else within this one, if any.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _),
            .parameterEncoding(let error):
            error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// A cancelled request: the same whether it was a stub or live.
    static var cancelled: MoyaError { .underlying(URLError(.cancelled, "The request was cancelled."), nil) }
}

extension MoyaError.Kind {
    fileprivate init(_ code: URLError.Code) {
        self =
            switch code {
            case .cancelled, .userCancelledAuthentication: .cancelled
            case .timedOut: .timeout
            case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: .offline
            case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost: .unreachable
            case .networkConnectionLost: .connectionLost
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                .tls
            case .badServerResponse, .zeroByteResource, .cannotDecodeRawData, .cannotDecodeContentData,
                .cannotParseResponse, .dataLengthExceedsMaximum, .httpTooManyRedirects,
                .redirectToNonExistentLocation:
                .badResponse
            case .badURL, .unsupportedURL, .userAuthenticationRequired, .requestBodyStreamExhausted, .fileDoesNotExist,
                .fileIsDirectory,
                .noPermissionsToReadFile:
                .request
            default: .other
            }
    }
}

extension MoyaError: LocalizedError, CustomStringConvertible {
    /// A sentence for people: what failed, and with what answer.
    public var errorDescription: String? { description }

    /// A sentence for people: what failed, and with what answer.
    public var description: String {
        switch self {
        case .imageMapping(let response): "The content is no image (\(response))."
        case .jsonMapping(let response): "The content is no JSON (\(response))."
        case .stringMapping(let response): "The content is no text (\(response))."
        case .objectMapping(let error, let response):
            "The content could not be decoded (\(response)): \(error.reasonWithoutContent)"
        case .encodableMapping(let error): "The body could not be encoded: \(error)"
        case .statusCode(let response): "The status code was not expected (\(response))."
        case .underlying(let error as MoyaError, _): error.description
        case .underlying(let error as URLError, _): error.text
        case .underlying(is CancellationError, _): "The request was cancelled."
        case .underlying(let error, _): error.localizedDescription
        case .requestMapping(let reason): "No request could be made: \(reason)."
        case .parameterEncoding(let error): "The parameters could not be encoded: \(error.localizedDescription)"
        }
    }
}

extension URLError {
    /// The description that the error has, or else one for its code: Foundation on Linux gives only the number of the code.
    fileprivate var text: String {
        if let text = userInfo[NSLocalizedDescriptionKey] as? String { return text }
        return switch code {
        case .cancelled, .userCancelledAuthentication: "The request was cancelled."
        case .timedOut: "The request timed out."
        case .notConnectedToInternet: "There is no network connection."
        case .cannotFindHost, .dnsLookupFailed: "The name of the server could not be resolved."
        case .cannotConnectToHost: "No connection to the server could be made."
        case .networkConnectionLost: "The connection was lost before the response was complete."
        case .secureConnectionFailed: "No secure connection to the server could be made."
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            "The certificate of the server is not trusted."
        case .clientCertificateRejected, .clientCertificateRequired: "The server wants another client certificate."
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: "The response is not valid HTTP."
        case .cannotDecodeRawData, .cannotDecodeContentData: "The content of the response could not be decompressed."
        case .dataLengthExceedsMaximum: "The response is too large."
        case .httpTooManyRedirects: "The server redirected too often."
        case .redirectToNonExistentLocation: "The server redirected to a URL that cannot be followed."
        case .badURL, .unsupportedURL: "The URL of the request is not supported."
        case .requestBodyStreamExhausted: "The content of the request could not be read."
        case .fileDoesNotExist: "The file to send does not exist."
        case .fileIsDirectory: "The file to send is a directory."
        case .noPermissionsToReadFile: "The file to send may not be read."
        default: localizedDescription
        }
    }
}

extension MoyaError: CustomNSError {
    /// The description, and the underlying error if there is one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSUnderlyingErrorKey] = underlyingError
        return info
    }
}
