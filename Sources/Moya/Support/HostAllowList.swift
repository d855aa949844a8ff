import Foundation

/// The hosts that credentials and other sensitive data may be sent to.
///
/// If `names` is `nil`, the list allows any host over https, and the local host over any scheme. Otherwise, the list
/// allows only the hosts with these names, over any scheme.
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
