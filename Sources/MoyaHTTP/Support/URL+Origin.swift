package import Foundation

extension URL {
    /// The origin: scheme, host and port (RFC 9110, section 4.3.1).
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host(percentEncoded: false)?.lowercased() ?? ""):\(port)"
    }

    /// The URL without its fragment, which is not sent.
    package var withoutFragment: URL {
        guard let fragment = absoluteString.firstIndex(of: "#") else { return self }
        return URL(string: String(absoluteString[..<fragment])) ?? self
    }
}
