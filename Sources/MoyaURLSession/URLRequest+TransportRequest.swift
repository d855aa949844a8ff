import Foundation

extension URLRequest {
    // In seconds. Foundation requires a finite timeout; this one is long because the provider enforces the deadlines.
    static let longestTimeout: TimeInterval = 1e6

    // Includes content only if in memory. Throws `URLError.unsupportedURL` if Foundation would change the request.
    init(_ request: TransportRequest) throws(URLError) {
        #if canImport(FoundationNetworking)
            if let host = request.url.host(percentEncoded: false), host.contains(":") {
                throw URLError(
                    .unsupportedURL,
                    "URLSession on Linux does not connect to [\(host)], because its host is an IPv6 address. Use "
                        + "CurlTransport, or a name for that address.")
            }
        #endif
        self.init(url: request.url.withLowercasedScheme)
        let method = request.method.rawValue
        httpMethod = method
        if let changed = httpMethod, changed != method {
            throw URLError(
                .unsupportedURL,
                "URLSession would send the method \(method) as \(changed). Use \(changed), or another transport.")
        }
        allHTTPHeaderFields = request.headers.dictionary
        timeoutInterval = Self.longestTimeout
        #if !canImport(FoundationNetworking)
            // What a plugin or an interceptor has set in its `URLRequest`.
            if let template = request.template {
                networkServiceType = template.networkServiceType
                allowsCellularAccess = template.allowsCellularAccess
                allowsExpensiveNetworkAccess = template.allowsExpensiveNetworkAccess
                allowsConstrainedNetworkAccess = template.allowsConstrainedNetworkAccess
                assumesHTTP3Capable = template.assumesHTTP3Capable
            }
        #endif
        if case .stream(let length?, _) = request.body {
            setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
        guard case .data(let data) = request.body else { return }
        httpBody = data
        if !data.isEmpty, request.headers["Content-Type"] == nil {
            // Without this field, Foundation would declare the content as a form.
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
    }
}

extension URL {
    /// The URL with its scheme in lower case, which Foundation on Linux requires.
    fileprivate var withLowercasedScheme: URL {
        guard let scheme, scheme != scheme.lowercased() else { return self }
        return URL(string: scheme.lowercased() + absoluteString.dropFirst(scheme.count)) ?? self
    }
}
