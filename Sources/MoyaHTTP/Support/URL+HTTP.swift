package import Foundation

extension URL {
    /// Creates a URL; throws an error unless the string is an absolute `http` or `https` URL with a host (RFC 9110,
    /// section 4.2).
    package init(checkedForHTTP string: String) throws(TransportError) {
        guard let url = URL(string: string) else { throw .notHTTP(string) }
        try url.checkForHTTP()
        self = url
    }

    package func checkForHTTP() throws(TransportError) {
        let scheme = scheme?.lowercased()
        guard scheme == "http" || scheme == "https", host()?.isEmpty == false else {
            throw .notHTTP(absoluteString)
        }
    }
}

extension TransportError {
    fileprivate static func notHTTP(_ url: String) -> TransportError {
        .invalid("\(url.withoutQuery.debugDescription) is not an absolute http or https URL with a host")
    }
}

extension String {
    /// The URL without its query and fragment, because these two parts may contain secrets.
    package var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }
}

extension URL {
    /// The origin: scheme, host and port (RFC 9110, section 4.3.1).
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host(percentEncoded: false)?.lowercased() ?? ""):\(port)"
    }

    package var withoutFragment: URL {
        guard let fragment = absoluteString.firstIndex(of: "#") else { return self }
        return URL(string: String(absoluteString[..<fragment])) ?? self
    }
}
