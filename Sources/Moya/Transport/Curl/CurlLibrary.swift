#if os(Linux)
    import CCurl
    import Foundation

    /// The loaded libcurl: what it is, and what its codes mean.
    package struct CurlLibrary: Sendable {
        package let version: UInt32
        private let features: Int32

        /// - Parameter version: which version it is taken for, if not for its own; tests look so at what older ones lack.
        private init(version: UInt32? = nil) {
            self.version = version ?? ccurl_version()
            features = ccurl_features()
        }

        package static func loaded(takenFor version: UInt32? = nil) throws(MoyaError) -> CurlLibrary {
            guard ccurl_load() == 0 else {
                // SAFETY: the text is a static buffer that is written once, before `ccurl_load` returns.
                let reason = unsafe String(cString: ccurl_load_error())
                throw .underlying(
                    URLError(
                        .unsupportedURL, userInfo: [NSLocalizedDescriptionKey: "libcurl cannot be used: \(reason)"]),
                    nil)
            }
            return CurlLibrary(version: version)
        }

        var hasHTTP2: Bool { features & Int32(CCURL_VERSION_HTTP2) != 0 }
        /// The codings of content that it decodes.
        var contentCodings: Set<Substring> {
            var codings: Set<Substring> = ["identity", "none", "deflate", "gzip", "x-gzip"]
            if features & Int32(CCURL_VERSION_BROTLI) != 0 { codings.insert("br") }
            if features & Int32(CCURL_VERSION_ZSTD) != 0 { codings.insert("zstd") }
            return codings
        }
        /// Reaches proxies by TLS.
        var hasSecureProxies: Bool { features & Int32(CCURL_VERSION_HTTPS_PROXY) != 0 }
        /// Lists protocols by name since 7.85.
        var hasProtocolNames: Bool { version >= 0x07_55_00 }
        /// Since 7.87 a cancel does not wait for a name look-up.
        var hasQuickExit: Bool { version >= 0x07_57_00 }

        /// Whether a handle is as new for its next request, whatever the answer before was.
        ///
        /// Below 7.77 a rest of that answer's head may stand before the next head. From 7.83 to 8.0 a pointer to a field of it
        /// is kept, which is freed: a head whose first field begins with a blank makes libcurl follow that pointer.
        var hasReusableHandles: Bool { (0x07_4d_00..<0x07_53_00).contains(version) || version >= 0x08_01_00 }

        /// The error for a result code, in libcurl's own words.
        static func error(_ code: Int32, _ text: String, _ url: URL) -> URLError {
            // SAFETY: libcurl gives a static string for every code.
            let message = text.isEmpty ? unsafe String(cString: ccurl_easy_strerror(code)) : text
            return URLError(
                self.code(code),
                userInfo: [NSLocalizedDescriptionKey: message, NSURLErrorFailingURLErrorKey: url])
        }

        private static func code(_ code: Int32) -> URLError.Code {
            switch Int(code) {
            case CCURLE_UNSUPPORTED_PROTOCOL, CCURLE_WEIRD_SERVER_REPLY: .cannotParseResponse
            case CCURLE_URL_MALFORMAT: .badURL
            case CCURLE_NOT_BUILT_IN, CCURLE_UNKNOWN_OPTION: .unsupportedURL
            case CCURLE_COULDNT_RESOLVE_HOST, CCURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
            case CCURLE_COULDNT_CONNECT, CCURLE_PROXY: .cannotConnectToHost
            case CCURLE_OPERATION_TIMEDOUT: .timedOut
            case CCURLE_HTTP2, CCURLE_HTTP2_STREAM, CCURLE_PARTIAL_FILE, CCURLE_GOT_NOTHING, CCURLE_SEND_ERROR,
                CCURLE_RECV_ERROR, CCURLE_SEND_FAIL_REWIND:
                .networkConnectionLost
            // The last is what some versions say of trailers that they cannot read.
            case CCURLE_WRITE_ERROR, CCURLE_BAD_FUNCTION_ARGUMENT: .badServerResponse
            case CCURLE_OUT_OF_MEMORY, CCURLE_TOO_LARGE: .dataLengthExceedsMaximum
            case CCURLE_READ_ERROR, CCURLE_ABORTED_BY_CALLBACK: .requestBodyStreamExhausted
            case CCURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
            case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ISSUER_ERROR, CCURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CCURLE_SSL_INVALIDCERTSTATUS:
                .serverCertificateUntrusted
            case CCURLE_SSL_CERTPROBLEM: .clientCertificateRejected
            case CCURLE_SSL_CLIENTCERT: .clientCertificateRequired
            case CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_ENGINE_NOTFOUND, CCURLE_SSL_ENGINE_SETFAILED, CCURLE_SSL_CIPHER,
                CCURLE_SSL_CACERT_BADFILE:
                .secureConnectionFailed
            default: .unknown
            }
        }
    }
#endif
