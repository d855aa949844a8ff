#if os(Linux)
    import CMoyaCurl
    import Foundation

    extension CurlTransfer {
        /// Sets the options of one request, and resets the options that an earlier request has changed.
        func configure(_ exchange: CurlExchange) throws {
            let request = exchange.request
            easy.set(CCURLOPT_URL, exchange.url)
            easy.set(CCURLOPT_FRESH_CONNECT, exchange.isPreconnect ? 1 : 0)
            easy.set(CCURLOPT_FORBID_REUSE, 0)
            guard settings.trust.pin(easy, for: request.url.host(percentEncoded: false) ?? "") else {
                let reason = "libcurl does not accept the pins of this host"
                throw URLError(.secureConnectionFailed, .tlsHandshake, request.url, reason)
            }
            let isSecure = request.url.isSecure
            // HTTP/2 is allowed over TLS only. A server without TLS may wrongly claim HTTP/2 in a response; libcurl
            // would then send several requests at a time on the connection and mix up their responses.
            let mayMultiplex = settings.library.hasHTTP2 && isSecure
            easy.set(CCURLOPT_HTTP_VERSION, mayMultiplex ? CCURL_HTTP_VERSION_2TLS : CCURL_HTTP_VERSION_1_1)
            // libcurl copies the CA paths for each request, so reset them if there is no TLS. A handle that is reused
            // keeps them, because its next request may use TLS.
            if !isSecure, !settings.library.hasReusableHandles {
                for option in [CCURLOPT_CAINFO, CCURLOPT_CAPATH] { easy.set(option, nil) }
            }
            try configureContent(exchange)
            let hasLargeWindow =
                if case .chunks(let window) = request.delivery { window ?? .max >= 256 << 10 } else { false }
            easy.set(CCURLOPT_BUFFERSIZE, hasLargeWindow ? 64 << 10 : 16 << 10)
            // Otherwise, `startConnectDeadline` limits the time.
            easy.set(connectTimeout: settings.library.hasQuickExit ? request.connectTimeout : nil)
        }

        private func configureContent(_ exchange: CurlExchange) throws {
            let request = exchange.request
            // Resets the method and the upload of an earlier request.
            easy.set(CCURLOPT_HTTPGET, 1)
            let hasContent = request.method != .head && request.hasContent
            let isNamed = hasContent || request.method != .get && request.method != .head
            easy.set(CCURLOPT_CUSTOMREQUEST, isNamed ? request.method.rawValue : nil)
            if request.method == .head {
                easy.set(CCURLOPT_NOBODY, 1)
            } else if hasContent {
                easy.set(CCURLOPT_UPLOAD, 1)
                let length = try upload.open(request.body) { [weak exchange] in exchange?.resumeSending() }
                easy.set(CCURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
            }
            var headers = request.headers
            if mustOmitExpectation { headers["Expect"] = nil }
            // libcurl 8.14 leaves such a field out, without an error.
            if let long = headers.fields.first(where: { $0.name.utf8.count + $0.value.utf8.count > 300_000 }) {
                throw URLError(
                    .badURL,
                    "the header field \(long.name) of the request is longer than libcurl accepts (300 KB). Shorten it.")
            }
            easy.set(headers)
        }
    }

    extension HTTPHeaders {
        /// Not with `Range`, because part of compressed content can't be decompressed.
        var acceptsCodings: Bool { self["Accept-Encoding"] == nil && self["Range"] == nil }
    }
#endif
