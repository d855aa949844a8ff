import Foundation

/// An error of a request, at any step from building the request to mapping the response.
public enum MoyaError: Error {
    /// The content is not an image.
    case imageMapping(Response)
    /// The content is not JSON.
    case jsonMapping(Response)
    /// The content is not text in the expected encoding.
    case stringMapping(Response)
    /// The content could not be decoded; the error is the decoder's error.
    case objectMapping(any Error, Response)
    /// The body could not be encoded; the error is the encoder's error.
    case encodableMapping(any Error)
    /// The target's validation did not accept the status code.
    case statusCode(Response)
    /// An error of the transport or of the caller's code, usually a `URLError`, and the received part of the response.
    ///
    /// The response is `nil` if nothing was received.
    case underlying(any Error, Response?)
    /// The request could not be built; the text names the reason and the invalid part of the target or request.
    case requestMapping(String)
    /// The parameters could not be encoded.
    case parameterEncoding(any Error)
}

extension MoyaError {
    /// A kind of failure, independent of the transport and of the underlying error.
    public enum Kind: Sendable, Hashable {
        /// The request was cancelled.
        case cancelled
        /// A timeout of the request expired.
        case timeout
        /// There is no network.
        case offline
        /// The server's name could not be resolved, or the connection could not be established.
        case unreachable
        /// The connection was lost before the response was complete.
        case connectionLost
        /// No secure connection could be established, because of a certificate, a pin or the protocol version.
        case tls
        /// The response is not valid HTTP, not decompressible, too large, or a redirect that cannot be followed.
        case badResponse
        /// The target's validation did not accept the status code.
        case http
        /// The content of the response could not be decoded.
        case decoding
        /// The request could not be built, because of its URL, headers, parameters or body.
        case request
        /// Any other failure.
        case other

        /// Matches an error of this kind, so that `catch .timeout` and `case .failure(.cancelled)` compile.
        public static func ~= (kind: Kind, error: MoyaError) -> Bool { error.kind == kind }
    }

    /// The kind of the failure, the same for stubs and for all transports.
    public var kind: Kind {
        switch self {
        case .imageMapping, .jsonMapping, .stringMapping, .objectMapping: .decoding
        case .encodableMapping, .requestMapping, .parameterEncoding: .request
        case .statusCode: .http
        case .underlying(let error as MoyaError, _): error.kind
        case .underlying(let error as URLError, _): Kind(error.code)
        case .underlying(let error as TransportError, _): MoyaError(error).kind
        case .underlying(is CancellationError, _): .cancelled
        case .underlying(is any AnyErrorResponse, _): .http
        // On Linux, no cast makes a URLError of such an error.
        case .underlying(let error as NSError, _) where error.domain == NSURLErrorDomain:
            (URLError.Code(rawValue: error.code) as URLError.Code?).map { Kind($0) } ?? .other
        case .underlying: .other
        }
    }

    /// Whether the request was cancelled, which apps usually do not show.
    ///
    /// A cancelled request does not throw `CancellationError`: calls of this package throw a `MoyaError`.
    public var isCancelled: Bool { kind == .cancelled }

    /// The received part of the response; `nil` if nothing was received.
    ///
    /// After a timeout, only some requests have a partial response: stubs, streams, downloads and requests with
    /// progress. Other responses are delivered only when they are complete, so the value is `nil`.
    public var response: Response? {
        switch self {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response), .statusCode(let response):
            response
        case .underlying(_, let response): response
        case .encodableMapping, .requestMapping, .parameterEncoding: nil
        }
    }

    /// The error that caused this error; `nil` if no other error caused it.
    ///
    /// The cause is an error of an encoder, a decoder, the transport or the caller's code.
    public var underlyingError: (any Error)? {
        switch self {
        case .objectMapping(let error, _), .encodableMapping(let error), .underlying(let error, _),
            .parameterEncoding(let error):
            error
        case .imageMapping, .jsonMapping, .stringMapping, .statusCode, .requestMapping: nil
        }
    }

    /// The error of a cancelled request.
    ///
    /// For test doubles and interceptors. As a pattern, as in `catch MoyaError.cancelled`, it matches each error of
    /// that kind.
    public static var cancelled: MoyaError { .underlying(URLError(.cancelled, "The request was cancelled."), nil) }

    /// Matches an error of the kind of this error.
    @_disfavoredOverload
    public static func ~= (pattern: MoyaError, error: any Error) -> Bool {
        (error as? MoyaError)?.kind == pattern.kind
    }
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
                .fileIsDirectory, .noPermissionsToReadFile, .appTransportSecurityRequiresSecureConnection:
                .request
            default: .other
            }
    }
}

protocol AnyErrorResponse: Error {
    var response: Response { get }
}

extension MoyaError {
    init(_ error: TransportError) {
        self =
            switch error {
            case .invalid(let reason): .requestMapping(reason)
            case .unavailable(let error): .underlying(error, nil)
            }
    }

    static func wrapping<Value>(_ body: () throws(TransportError) -> Value) throws(MoyaError) -> Value {
        do throws(TransportError) { return try body() } catch { throw MoyaError(error) }
    }
}
