import Foundation

/// Where a credential may go: to the hosts that are named, or, if none are, over TLS to any host and in plain text to this
/// machine only.
struct HostAllowList: Sendable {
    private let names: Set<String>?

    init(_ names: Set<String>?) {
        self.names = names.map { Set($0.map { $0.lowercased() }) }
    }

    func allow(_ url: URL?) -> Bool {
        guard let url, let host = url.host(percentEncoded: false)?.lowercased() else { return false }
        if let names { return names.contains(host) }
        return url.scheme?.lowercased() == "https" || ["localhost", "127.0.0.1", "::1"].contains(host)
    }
}
