package import Foundation

// Where credentials and other sensitive data may go: over https, and over http to the local host. An entry is a host
// name without a port; the prefix `http://` allows http for it, too. Without a list, all hosts are allowed.
package struct HostAllowList: Sendable {
    private let names: Set<String>?
    private let namesForHTTP: Set<String>

    package init(_ hosts: Set<String>?) {
        let hosts = hosts?.map { $0.lowercased() }
        names = hosts.map { Set($0.map(Self.name)) }
        namesForHTTP = Set((hosts ?? []).filter { $0.hasPrefix("http://") }.map(Self.name))
    }

    package func allow(_ url: URL?) -> Bool {
        guard let url, let name = url.host(percentEncoded: false)?.lowercased() else { return false }
        if url.isSecure, names == nil { return true }
        let host = name.canonicalHost ?? name
        guard names?.contains(host) ?? true else { return false }
        return url.isSecure || namesForHTTP.contains(host) || host.isLocalHost
    }

    /// Whether the host of an http URL would be allowed over https.
    package func refusesHTTP(_ url: URL) -> Bool {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        guard parts?.scheme?.lowercased() == "http", !allow(url) else { return false }
        parts?.scheme = "https"
        return allow(parts?.url)
    }

    private static func name(_ entry: String) -> String {
        let scheme = ["http://", "https://"].first(where: entry.hasPrefix) ?? ""
        let name = entry.dropFirst(scheme.count).trimmingCharacters(in: CharacterSet(charactersIn: "/"))
        return name.canonicalHost ?? name
    }
}

extension String {
    /// Whether this host, in lower case, is this machine: `localhost` (RFC 6761, section 6.3) or a loopback address.
    fileprivate var isLocalHost: Bool {
        if self == "localhost" || hasSuffix(".localhost") || self == "::1" { return true }
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { $0.isDigits && UInt8($0) != nil }
    }
}
