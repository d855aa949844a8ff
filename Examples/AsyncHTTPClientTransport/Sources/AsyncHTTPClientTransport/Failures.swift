import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL

#if canImport(Network)
    import Network
#endif

extension URLError {
    /// The error of a client that was configured to follow redirects.
    static var redirected: URLError {
        let text = "the client has followed a redirect by itself: its redirectConfiguration must be disallow"
        return URLError(.httpTooManyRedirects, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// Creates the error of content that cannot be read.
    init(unreadable error: any Error) {
        let text = "the content of the request cannot be read: \(error.localizedDescription)"
        let userInfo: [String: Any] = [NSLocalizedDescriptionKey: text, NSUnderlyingErrorKey: error]
        self = error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: userInfo)
    }

    /// Creates an error with the description of an error of the client or of NIO.
    init(client error: any Error) {
        if let error = error as? URLError {
            self = error
            return
        }
        let text = (error as? HTTPClientError)?.shortDescription ?? String(describing: error)
        self.init(
            Self.code(of: error), userInfo: [NSLocalizedDescriptionKey: text, NSUnderlyingErrorKey: error])
    }

    private static func code(of error: any Error) -> Code {
        switch error {
        case let error as HTTPClientError: code(of: error)
        case let error as HTTPParserError: code(of: error)
        case let error as NIOConnectionError: code(of: error)
        case let error as IOError: code(errno: error.errnoCode)
        case ChannelError.connectTimeout: .timedOut
        case is ChannelError, is any NIOHTTP2Error, NIOSSLError.uncleanShutdown: .networkConnectionLost
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: code(ofTLS: error)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            .cannotDecodeContentData
        case is CancellationError: .cancelled
        default: codeOfNetworkFramework(error)
        }
    }

    private static func code(of error: HTTPClientError) -> Code {
        switch error {
        case .cancelled: .cancelled
        case .remoteConnectionClosed, .uncleanShutdown: .networkConnectionLost
        case .connectTimeout, .getConnectionFromPoolTimeout, .deadlineExceeded, .readTimeout, .writeTimeout,
            .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .tlsHandshakeTimeout:
            .timedOut
        case .invalidProxyResponse, .proxyAuthenticationRequired: .cannotConnectToHost
        case .bodyLengthMismatch, .writeAfterRequestSent, .requestStreamCancelled: .requestBodyStreamExhausted
        case .invalidURL, .emptyHost, .emptyScheme: .badURL
        default: error.description.contains("unsupportedScheme") ? .unsupportedURL : .unknown
        }
    }

    private static func code(of error: HTTPParserError) -> Code {
        switch error {
        case .invalidEOFState, .closedConnection: .networkConnectionLost
        case .headerOverflow: .dataLengthExceedsMaximum
        default: .cannotParseResponse
        }
    }

    private static func code(of error: NIOConnectionError) -> Code {
        if let first = error.connectionErrors.first {
            if case ChannelError.connectTimeout = first.error { return .timedOut }
            return .cannotConnectToHost
        }
        return .cannotFindHost
    }

    private static func code(errno: Int32) -> Code {
        switch errno {
        case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL: .cannotConnectToHost
        case ETIMEDOUT: .timedOut
        default: .networkConnectionLost
        }
    }

    private static func code(ofTLS error: any Error) -> Code {
        let isUntrusted =
            error as? NIOSSLError == .unableToValidateCertificate
            || error as? NIOSSLExtraError == .failedToValidateHostname
            || String(describing: error).contains("CERTIFICATE_VERIFY_FAILED")
        return isUntrusted ? .serverCertificateUntrusted : .secureConnectionFailed
    }

    /// Returns the code of an error of Network.framework, which the client may use on Apple platforms.
    private static func codeOfNetworkFramework(_ error: any Error) -> Code {
        #if canImport(Network)
            switch error {
            case let error as HTTPClient.NWPOSIXError: return code(errno: error.errorCode.rawValue)
            case is HTTPClient.NWTLSError: return .secureConnectionFailed
            case is NWError: return .cannotFindHost
            default: break
            }
        #endif
        return .unknown
    }
}
