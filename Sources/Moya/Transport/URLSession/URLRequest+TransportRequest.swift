import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Deadlines are kept above; Foundation's must be finite, and never come first.
    static let longestTimeout: TimeInterval = 1e6

    /// A request as Foundation takes it; content in a file is left out.
    ///
    /// - Throws: `URLError.unsupportedURL` for what Foundation would not send as it is, with the cure.
    init(_ request: TransportRequest) throws(URLError) {
        #if canImport(FoundationNetworking)
            if let host = request.url.host(percentEncoded: false), host.contains(":") {
                throw URLError(
                    .unsupportedURL,
                    "URLSession on Linux does not connect to [\(host)], because its host is an IPv6 address: use "
                        + "CurlTransport, or a name for that address")
            }
        #endif
        self.init(url: request.url.withPlainScheme)
        let method = request.method.rawValue
        httpMethod = method
        if let changed = httpMethod, changed != method {
            throw URLError(
                .unsupportedURL, "URLSession would send \(method) as \(changed): write it so, or use another engine")
        }
        allHTTPHeaderFields = request.headers.dictionary
        timeoutInterval = Self.longestTimeout
        guard case .data(let data) = request.body else { return }
        httpBody = data
        if !data.isEmpty, request.headers["Content-Type"] == nil {
            // Foundation would call it a form.
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
    }
}

extension URL {
    /// The same with its scheme in small letters, the only ones that Foundation on Linux knows.
    fileprivate var withPlainScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
