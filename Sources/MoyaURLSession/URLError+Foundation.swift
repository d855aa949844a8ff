import Foundation

extension URLError {
    // Names the host, the phase and a remedy. Foundation on Linux reports most errors as "unknown" with libcurl's
    // message; the code is then derived from that message.
    init(foundation error: any Error, _ url: URL, hasHead: Bool) {
        guard let foundation = error as? URLError else {
            let code = Self.code(ofForeign: error as NSError)
            let reason = error.localizedDescription
            self =
                FailedPhase(code, reason, hasHead: hasHead).map { URLError(code, $0, url, reason, underlying: error) }
                ?? URLError(code, userInfo: [NSUnderlyingErrorKey: error])
            return
        }
        // The error has the URL with its secrets.
        var info = foundation.userInfo
        info[NSURLErrorFailingURLErrorKey] = url.withoutSecrets
        info["NSErrorFailingURLStringKey"] = url.withoutSecrets?.absoluteString
        let error = URLError(foundation.code, userInfo: info)
        #if canImport(FoundationNetworking)
            let reason =
                (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? error.localizedDescription
        #else
            let reason = error.localizedDescription
        #endif
        // Code and phase come from words in the message. The host is removed, because it may contain such words.
        let words =
            url.host().map { reason.replacingOccurrences(of: $0, with: "", options: .caseInsensitive) } ?? reason
        let derived = Self.code(of: error, words)
        let code = derived ?? error.code
        if let phase = FailedPhase(code, words, hasHead: hasHead) {
            self = URLError(code, phase, url, reason, underlying: error)
        } else if derived != nil {
            self = URLError(code, reason, underlying: error)
        } else {
            self = error
        }
    }

    /// The code for an error of the system, such as Apple platforms report after an app was suspended.
    private static func code(ofForeign error: NSError) -> Code {
        switch (error.domain, error.code) {
        case (NSPOSIXErrorDomain, Int(ECONNREFUSED)), (NSPOSIXErrorDomain, Int(EHOSTUNREACH)): .cannotConnectToHost
        case (NSPOSIXErrorDomain, Int(ENETDOWN)), (NSPOSIXErrorDomain, Int(ENETUNREACH)): .notConnectedToInternet
        case (NSPOSIXErrorDomain, Int(ETIMEDOUT)): .timedOut
        case (NSPOSIXErrorDomain, Int(ECONNABORTED)), (NSPOSIXErrorDomain, Int(ECONNRESET)),
            (NSPOSIXErrorDomain, Int(ENOTCONN)), (NSPOSIXErrorDomain, Int(EPIPE)):
            .networkConnectionLost
        case ("kCFErrorDomainCFNetwork", ...(-1000)): Code(rawValue: error.code) as Code? ?? .unknown
        default: .unknown
        }
    }

    private static func code(of error: URLError, _ reason: String) -> Code? {
        switch error.code {
        case .unknown where reason.contains("resolve proxy"): .cannotFindHost
        case .unknown where reason.contains("CONNECT") || reason.contains("Failed to connect"),
            .unknown where reason.contains("Couldn't connect"):
            .cannotConnectToHost
        case .unknown where reason.contains("SSL certificate") || reason.contains("certificate subject name"):
            .serverCertificateUntrusted
        case .unknown where reason.contains("chunked-encod"): .badServerResponse
        case _ where reason.contains("Empty reply"),
            .unknown where reason.contains("Recv failure") || reason.contains("Connection died"),
            .unknown where reason.contains("HTTP/2 stream") || reason.contains("HTTP2 framing"):
            .networkConnectionLost
        case .unknown where reason.contains("in header") || reason.contains("Header without colon"):
            .cannotParseResponse
        case .unsupportedURL where reason.contains("Unsupported HTTP version"),
            .unsupportedURL where reason.contains("Unsupported response code"):
            .cannotParseResponse
        case .unknown where reason.contains("SSL") || reason.contains("certificate"),
            .cannotConnectToHost where reason.contains("SSL"):
            .secureConnectionFailed
        case .unknown where reason.contains("transfer closed") || reason.contains("bytes missing"),
            .unknown where reason.contains("Send failure"):
            .networkConnectionLost
        case .unknown where reason.contains("ncoding") || reason.contains("Failed writing received data"):
            .cannotDecodeContentData
        case .unknown where reason.contains("Out of memory") || reason.contains("Too large"): .dataLengthExceedsMaximum
        case .unknown where reason.contains("Failed writing header") || reason.contains("Failure writing output"),
            .unknown where reason.contains("Content-Length"):
            .cannotParseResponse
        case .unsupportedURL where reason.contains("HTTP/0.9"): .cannotParseResponse
        default: nil
        }
    }
}
