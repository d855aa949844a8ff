#if os(Linux)
    import CMoyaCurl
    import Foundation

    extension CurlTransfer {
        func failure(_ code: Int32, _ request: TransportRequest) -> URLError? {
            // If the response is complete, the server needs no more content of the request.
            if code != 0, code != CCURLE_SEND_ERROR || !response.isComplete { return failure(Int(code), request) }
            // Some versions of libcurl report success if the connection is closed within the head.
            if response.head == nil {
                let reason = "the connection was closed within the head of the response"
                return URLError(.networkConnectionLost, .waitingForResponse, request.url, reason)
            }
            if response.isContentComplete { return nil }
            let reason = "the compressed content of the response was cut short"
            return URLError(.networkConnectionLost, .receiving, request.url, reason)
        }

        private func failure(_ code: Int, _ request: TransportRequest) -> URLError {
            if hasRefusedRepetition { return .notRepeated(request) }
            if let error = upload.error { return .unreadableContent(error) }
            if response.exceedsMaximum, let limit = request.maximumResponseSize { return .tooLarge(limit: limit) }
            if let fault = response.fault {
                let phase = response.head == nil ? FailedPhase.waitingForResponse : .receiving
                return URLError(.badServerResponse, phase, request.url, fault)
            }
            if response.head != nil, response.isDecoding,
                [CCURLE_WRITE_ERROR, CCURLE_BAD_CONTENT_ENCODING].contains(code)
            {
                return URLError(
                    .cannotDecodeContentData,
                    "the content of the response does not match its Content-Encoding, or has bytes after its end; "
                        + "\"Accept-Encoding: identity\" requests it without an encoding")
            }
            // libcurl reports its limits in this way, too.
            if [CCURLE_OUT_OF_MEMORY, CCURLE_TOO_LARGE].contains(code), response.head == nil, !isAtProxy {
                guard easy.number(CCURLINFO_REQUEST_SIZE) > sentBeforeConnecting else {
                    return URLError(
                        .badURL,
                        "the URL and the header fields of the request are longer than libcurl accepts (1 MiB). Send "
                            + "fewer or shorter fields.")
                }
                let fault = "a header field of the response is longer than libcurl accepts (100 KB)"
                return URLError(.badServerResponse, .waitingForResponse, request.url, fault)
            }
            // Newer versions of libcurl write a more exact reason. Without a head, the response is that of a proxy.
            let reason = easy.reason(code)
            if response.head != nil,
                reason.hasSuffix("in chunked-encoding")
                    || ["chunk hex-length", "invalid chunk size"].contains(where: reason.hasPrefix)
            {
                let fault = "the chunks or the trailers of the response are malformed, or a trailer is too long"
                return URLError(.badServerResponse, .receiving, request.url, "\(fault) (\(reason))")
            }
            return settings.failure(
                code, of: easy, at: request.url, in: phaseInProgress, isAtProxy: isAtProxy,
                hasHead: response.head != nil)
        }

        func connectTimeoutError(_ request: TransportRequest) -> URLError {
            let limit = request.connectTimeout.map { " after \($0)" } ?? ""
            let phase = isAtProxy ? .proxy : phaseInProgress
            return URLError(.timedOut, phase, request.url, "no connection was made\(limit)")
        }

        /// Whether the exchange has failed in the TLS handshake with a proxy, or before its tunnel was open.
        private var isAtProxy: Bool {
            guard response.head == nil, settings.mayUseTunnel, let request = exchange?.request else { return false }
            let mayOpenTunnel = request.url.isSecure && [.started, .connecting].contains(phase) && !hasStartedSending
            return easy.hasFailedAtProxy(mayOpenTunnel: mayOpenTunnel, sentBefore: sentBeforeConnecting)
        }

        // For versions that do not report the phase. Newer ones set this time also if the connection fails.
        private var hasStartedSending: Bool {
            !settings.library.reportsSending && easy.time(CCURLINFO_PRETRANSFER_TIME_T) != nil
        }

        private var phaseInProgress: FailedPhase {
            switch phase {
            case .receiving: .receiving
            case .awaitingResponse: .waitingForResponse
            case .idle, .resolving: .resolving
            case .started, .connecting:
                if hasStartedSending {
                    .waitingForResponse
                } else {
                    exchange.map { easy.isInHandshake(with: $0.request.url) } == true ? .tlsHandshake : .connecting
                }
            }
        }
    }

    extension EasyHandle {
        // Whether TCP is connected and the TLS handshake follows. Some versions of libcurl report this too late.
        func isInHandshake(with url: URL) -> Bool {
            error.contains("SSL") || time(CCURLINFO_CONNECT_TIME_T) != nil && url.isSecure
        }

        /// Whether the connection has failed in the TLS handshake with a proxy, or before its tunnel was open.
        func hasFailedAtProxy(mayOpenTunnel: Bool = true, sentBefore: Int = 0) -> Bool {
            if number(CCURLINFO_PROXY_SSL_VERIFYRESULT) != 0 { return true }
            let code = number(CCURLINFO_HTTP_CONNECTCODE)
            guard code == 0 else { return code / 100 != 2 }
            // libcurl before 8.7 does not report the use of a proxy, but counts the bytes of `CONNECT` as a request's.
            let usesProxy = number(CCURLINFO_USED_PROXY) != 0 || number(CCURLINFO_REQUEST_SIZE) > sentBefore
            return mayOpenTunnel && usesProxy && number(CCURLINFO_SSL_VERIFYRESULT) == 0
        }
    }

    extension CurlSettings {
        /// The error of a request or a WebSocket; `phase` is the one in progress.
        func failure(
            _ code: Int, of easy: EasyHandle, at url: URL, in phase: FailedPhase, isAtProxy: Bool, hasHead: Bool
        ) -> URLError {
            if let error = refusal(code, of: easy, at: url, isAtProxy: isAtProxy, hasHead: hasHead) { return error }
            let (error, reason) = (URLError.Code(curl: code), easy.reason(code))
            switch code {
            case CCURLE_COULDNT_RESOLVE_PROXY, CCURLE_PROXY: return URLError(error, .proxy, url, reason)
            case CCURLE_COULDNT_RESOLVE_HOST: return URLError(error, .resolving, url, reason)
            case CCURLE_COULDNT_CONNECT:
                guard let code = easy.socketError else { return URLError(error, .connecting, url, reason) }
                let reason = POSIXError(code).localizedDescription
                return URLError(error, "no socket can be opened for \(url.hostAndPort): \(reason)")
            case CCURLE_URL_MALFORMAT, CCURLE_NOT_BUILT_IN, CCURLE_UNKNOWN_OPTION, CCURLE_OUT_OF_MEMORY,
                CCURLE_READ_ERROR, CCURLE_ABORTED_BY_CALLBACK, CCURLE_BAD_CONTENT_ENCODING:
                return URLError(error, reason, url: url)
            default: return URLError(error, error.isAboutTLS ? .tlsHandshake : phase, url, reason)
            }
        }

        /// The error of a request or a WebSocket that is about trust or a proxy; `nil` for other failures.
        func refusal(_ code: Int, of easy: EasyHandle, at url: URL, isAtProxy: Bool, hasHead: Bool) -> URLError? {
            if code == CCURLE_SSL_PINNEDPUBKEYNOTMATCH { return pinMismatch(at: url, easy) }
            let reason = easy.reason(code)
            if let error = trust.policy.failure(code, reason, at: url) { return error }
            if isAtProxy, let error = proxyFailure(code, reason, at: url) { return error }
            // Since TLS 1.3, the server refuses a client's certificate when the client has already sent its request.
            let codes = [
                CCURLE_RECV_ERROR, CCURLE_SEND_ERROR, CCURLE_SSL_CONNECT_ERROR, CCURLE_PEER_FAILED_VERIFICATION,
            ]
            guard !hasHead, codes.contains(code), let refusal = URLError.Code(alert: reason) else { return nil }
            return URLError(refusal, .tlsHandshake, url, reason)
        }

        private func proxyFailure(_ code: Int, _ reason: String, at url: URL) -> URLError? {
            switch code {
            case CCURLE_OPERATION_TIMEDOUT: URLError(.timedOut, .proxy, url, reason)
            case CCURLE_COULDNT_RESOLVE_PROXY, CCURLE_COULDNT_CONNECT: nil
            case _ where URLError.Code(curl: code).isAboutTLS:
                URLError(URLError.Code(curl: code), .proxy, url, "the TLS handshake with the proxy: \(reason)")
            default: URLError(.cannotConnectToHost, .proxy, url, reason)
            }
        }
    }

    extension ServerTrustPolicy {
        /// The error if OpenSSL cannot read what the policy contains, or the authorities of the system.
        fileprivate func failure(_ code: Int, _ reason: String, at url: URL) -> URLError? {
            switch code {
            case CCURLE_SSL_CACERT_BADFILE where authorities.isEmpty:
                URLError(
                    .secureConnectionFailed,
                    "the certificates of the system's authorities cannot be read (\(reason)). Install the package "
                        + "ca-certificates.", url: url)
            case CCURLE_SSL_CACERT_BADFILE:
                URLError(
                    .secureConnectionFailed,
                    "the authorities of ServerTrustPolicy cannot be read (\(reason)). Check that each is a certificate in "
                        + "PEM.", url: url)
            case CCURLE_SSL_CERTPROBLEM:
                URLError(
                    .clientCertificateRejected,
                    "the identity of ServerTrustPolicy cannot be used (\(reason)). Check its certificates, the passphrase "
                        + "of its private key, and that the key belongs to the certificate.", url: url)
            default: nil
            }
        }
    }

    extension URLError {
        static func outOfMemory(_ request: TransportRequest) -> URLError {
            URLError(.dataLengthExceedsMaximum, "libcurl has no memory for a request to \(request.url.hostAndPort)")
        }
    }

    extension URLError.Code {
        var isAboutTLS: Bool { FailedPhase(self, "", hasHead: false) == .tlsHandshake }

        /// The code for an alert of TLS about the certificate of the client (RFC 8446, section 6.2).
        fileprivate init?(alert reason: String) {
            if reason.contains("alert certificate required") {
                self = .clientCertificateRequired
            } else if ["unknown ca", "bad certificate", "certificate", "unsupported certificate"].contains(where: {
                reason.contains("alert \($0)")
            }) || reason.hasPrefix("SSL certificate verification failed") {
                // So libcurl calls the alert "certificate expired": of a server's certificate, it names the problem.
                self = .clientCertificateRejected
            } else {
                return nil
            }
        }

        init(curl code: Int) {
            self =
                switch code {
                case CCURLE_UNSUPPORTED_PROTOCOL, CCURLE_WEIRD_SERVER_REPLY: .cannotParseResponse
                case CCURLE_URL_MALFORMAT: .badURL
                case CCURLE_NOT_BUILT_IN, CCURLE_UNKNOWN_OPTION: .unsupportedURL
                case CCURLE_COULDNT_RESOLVE_HOST, CCURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
                case CCURLE_COULDNT_CONNECT, CCURLE_PROXY: .cannotConnectToHost
                case CCURLE_OPERATION_TIMEDOUT: .timedOut
                case CCURLE_HTTP2, CCURLE_HTTP2_STREAM, CCURLE_PARTIAL_FILE, CCURLE_GOT_NOTHING, CCURLE_SEND_ERROR,
                    CCURLE_RECV_ERROR, CCURLE_SEND_FAIL_REWIND:
                    .networkConnectionLost
                // Some versions of libcurl report BAD_FUNCTION_ARGUMENT for trailers that they cannot parse.
                case CCURLE_WRITE_ERROR, CCURLE_BAD_FUNCTION_ARGUMENT: .badServerResponse
                case CCURLE_OUT_OF_MEMORY, CCURLE_TOO_LARGE: .dataLengthExceedsMaximum
                case CCURLE_READ_ERROR, CCURLE_ABORTED_BY_CALLBACK: .requestBodyStreamExhausted
                case CCURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
                case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ISSUER_ERROR, CCURLE_SSL_PINNEDPUBKEYNOTMATCH,
                    CCURLE_SSL_INVALIDCERTSTATUS:
                    .serverCertificateUntrusted
                case CCURLE_SSL_CERTPROBLEM: .clientCertificateRejected
                case CCURLE_SSL_CLIENTCERT: .clientCertificateRequired
                case CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_ENGINE_NOTFOUND, CCURLE_SSL_ENGINE_SETFAILED,
                    CCURLE_SSL_CIPHER, CCURLE_SSL_CACERT_BADFILE:
                    .secureConnectionFailed
                default: .unknown
                }
        }
    }
#endif
