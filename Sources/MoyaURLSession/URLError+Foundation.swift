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

    /// The codes of libcurl's messages, in which the first match counts.
    private static let codes: [(code: Code, words: [String])] = [
        (.cannotFindHost, ["resolve proxy"]),
        (.cannotConnectToHost, ["CONNECT", "Failed to connect", "Couldn't connect"]),
        (.serverCertificateUntrusted, ["SSL certificate", "certificate subject name"]),
        (.badServerResponse, ["chunked-encod"]),
        (.networkConnectionLost, ["Empty reply", "Recv failure", "Connection died", "HTTP/2 stream", "HTTP2 framing"]),
        (.cannotParseResponse, ["in header", "Header without colon"]),
        (.secureConnectionFailed, ["SSL", "certificate"]),
        (.networkConnectionLost, ["transfer closed", "bytes missing", "Send failure"]),
        (.cannotDecodeContentData, ["ncoding", "Failed writing received data"]),
        (.dataLengthExceedsMaximum, ["Out of memory", "Too large"]),
        (.cannotParseResponse, ["Failed writing header", "Failure writing output", "Content-Length"]),
    ]

    private static func code(of error: URLError, _ reason: String) -> Code? {
        switch error.code {
        case .unknown: codes.first { $0.words.contains(where: reason.contains) }?.code
        case _ where reason.contains("Empty reply"): .networkConnectionLost
        case .unsupportedURL where reason.contains("Unsupported HTTP version"),
            .unsupportedURL where reason.contains("Unsupported response code") || reason.contains("HTTP/0.9"):
            .cannotParseResponse
        case .cannotConnectToHost where reason.contains("SSL"): .secureConnectionFailed
        default: nil
        }
    }
}
