public import Foundation

/// An error of a value or a setting that a transport was given, before any exchange.
///
/// The initializers of ``TransportRequest``, ``ServerTrustPolicy``, caches and transports throw it. Errors of an
/// exchange are in ``TransportOutcome/error``. A provider wraps both in its `MoyaError`.
public enum TransportError: Error {
    /// A part of a request, or a setting, is invalid; the text names the part and how to correct it.
    case invalid(String)
    /// The transport cannot be used, because of an error of the system.
    case unavailable(any Error)
}

extension TransportError: LocalizedError, CustomStringConvertible {
    /// A sentence that describes the failure.
    public var errorDescription: String? { description }

    /// What to do about the failure, if it is known.
    public var recoverySuggestion: String? {
        switch self {
        case .invalid(let reason): reason.remedy
        case .unavailable(let error as any LocalizedError): error.recoverySuggestion
        case .unavailable: nil
        }
    }

    /// A sentence that describes the failure.
    public var description: String {
        switch self {
        case .invalid(let reason): "No request could be made: \(reason)\(reason.last == "." ? "" : ".")"
        case .unavailable(let error as URLError): error.text
        case .unavailable(is CancellationError): "The request was cancelled."
        // On Linux, any `NSError` can be cast to `CocoaError`.
        case .unavailable(let error as CocoaError) where (error as NSError).domain == NSCocoaErrorDomain:
            // On Linux, the description is only a number.
            [error, error.underlying].compactMap { $0?.localizedDescription }.joined(separator: " ")
        case .unavailable(let error as DecodingError): error.reasonWithoutContent
        case .unavailable(let error): error.text
        }
    }
}

extension Error {
    /// The text that the error has itself, or its type and, of an enumeration, its case.
    ///
    /// The values of an error without a text may be content of a response.
    fileprivate var text: String {
        // Not `self`: an error that was thrown through a continuation is a box, of the type `Error`. Nor a cast of
        // `self`: the compiler takes each error for an `NSError`, which has a description.
        let value: Any = self
        if self is any LocalizedError || self is any CustomNSError || type(of: value) is NSError.Type {
            return localizedDescription
        }
        if let error = value as? any CustomStringConvertible { return error.description }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return "\(type(of: value))" }
        return "\(type(of: value)).\(mirror.children.first?.label ?? "\(value)")"
    }
}

extension URLError {
    /// From `userInfo`, or else from the code: on Linux, Foundation describes a code only by its number.
    var text: String {
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
        case .fileIsDirectory: "The file to send is a directory, or not a regular file."
        case .noPermissionsToReadFile: "The file to send may not be read."
        default: localizedDescription
        }
    }

    package init(
        _ code: Code, _ description: String, remedy: String? = nil, url: URL? = nil, underlying: (any Error)? = nil
    ) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        info[NSLocalizedRecoverySuggestionErrorKey] = remedy ?? description.remedy
        info[NSURLErrorFailingURLErrorKey] = url?.withoutSecrets
        info[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: info)
    }
}

extension String {
    /// What to do, from an error text of this package: its first sentence says what is wrong, the rest is the remedy.
    package var remedy: String? {
        firstRange(of: /\. (?=[A-Z])/).map { String(self[$0.upperBound...]) }
    }
}
