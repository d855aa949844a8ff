#if os(Linux)
    import CMoyaCurl
    package import Foundation

    package struct CurlCapabilities: Sendable {
        package let version: UInt32
        private let features: Int32

        /// - Parameter version: an assumed version, for tests of the workarounds for older versions.
        package init(takenFor version: UInt32? = nil) throws(TransportError) {
            guard ccurl_load() == 0 else {
                // SAFETY: the text is a static buffer that is written once, before `ccurl_load` returns.
                let reason = unsafe String(cString: ccurl_load_error())
                throw .unavailable(URLError.missingLibcurl(reason))
            }
            self.version = version ?? ccurl_version()
            features = ccurl_features()
        }

        var hasHTTP2: Bool { features & Int32(CCURL_VERSION_HTTP2) != 0 }
        var hasSecureProxies: Bool { features & Int32(CCURL_VERSION_HTTPS_PROXY) != 0 }
        /// Whether libcurl reports that it is about to send a request, as since 7.80.
        var reportsSending: Bool { version >= 0x07_50_00 }
        /// Whether a transfer can be removed without waiting for the resolver, as in libcurl since 7.87.
        var hasQuickExit: Bool { version >= 0x07_57_00 }
        /// Whether the reported size of a request includes its content, as in libcurl since 8.7.
        var countsContentOfRequests: Bool { version >= 0x08_07_00 }

        /// Before 7.77 and from 7.83 to 8.0, libcurl may use data of the previous response head for the next one.
        var hasReusableHandles: Bool { (0x07_4d_00..<0x07_53_00).contains(version) || version >= 0x08_01_00 }
    }

    extension URLError {
        package static func missingLibcurl(_ reason: String) -> URLError {
            URLError(
                .unsupportedURL,
                "libcurl cannot be used: \(reason). Install libcurl 7.68 or newer: the package libcurl4 of Debian and "
                    + "Ubuntu, libcurl of Alpine and Fedora. Or pass transport: URLSessionTransport.shared, which has "
                    + "faults on Linux that its documentation lists.")
        }
    }
#endif
