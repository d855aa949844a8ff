import Foundation

extension URL {
    /// Creates a URL; throws an error unless the string is an absolute `http` or `https` URL with a host (RFC 9110,
    /// section 4.2).
    package init(checkedForHTTP string: String) throws(TransportError) {
        guard let url = URL(string: string) else { throw .notHTTP(string) }
        try url.checkForHTTP()
        self = url
    }

    /// Throws an error unless this is an absolute `http` or `https` URL with a host.
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
