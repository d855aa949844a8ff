import Foundation

/// The URL that a response is stored for, and the partition of the user that it belongs to (RFC 9111, section 2).
///
/// The scheme and the host are in lower case, a default port and the fragment are removed, and an empty path is `/` (RFC
/// 9110, section 4.2.3). Any other path and the query are unchanged. GET and HEAD have the same key.
struct CacheKey: Sendable, Hashable {
    let url: String
    /// The result of ``CachingPolicy/partition``.
    let partition: String?

    init(_ url: URL, partition: String?) {
        self.init(url: Self.normalised(url), partition: partition)
    }

    /// - Parameter url: the normalised URL.
    init(url: String, partition: String?) {
        self.url = url
        self.partition = partition
    }

    static func normalised(_ url: URL) -> String {
        let text = url.absoluteString
        return isNormalised(text.utf8) ? text : normalised(text[...])
    }

    /// Returns whether a URL is known to be normalised; `false` for a URL with a port or a user, even if it is normalised.
    private static func isNormalised(_ text: String.UTF8View) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.starts(with: $0.utf8) }) else { return false }
        let rest = text.dropFirst(scheme.utf8.count)
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex else { return false }
        let isPlain = rest[..<slash].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain && !rest[slash...].contains(UInt8(ascii: "#"))
    }

    private static func normalised(_ url: Substring) -> String {
        var text = url
        if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
        guard let scheme = text.range(of: "://") else { return String(text) }
        let name = text[..<scheme.lowerBound].lowercased()
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = String(rest[..<end])
        if let at = authority.lastIndex(of: "@") {
            authority = authority[...at] + authority[authority.index(after: at)...].lowercased()
        } else {
            authority = authority.lowercased()
        }
        for suffix in [name == "http" ? ":80" : ":443", ":"] where authority.hasSuffix(suffix) {
            authority.removeLast(suffix.count)
            break
        }
        let path = rest[end...]
        return "\(name)://\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }
}
