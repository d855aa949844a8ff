import Foundation

/// The key of stored responses: a normalized URL and a partition (RFC 9111, section 2).
///
/// The scheme and the host are in lower case, a default port, the user and the fragment are removed, and an empty path
/// is `/` (RFC 9110, section 4.2.3). Any other path and the query are unchanged. GET and HEAD have the same key.
struct CacheKey: Sendable, Hashable {
    let url: String
    /// Separates the responses of different users; the result of ``HTTPCache/partition(_:_:)``.
    let partition: String?

    static func normalized(_ url: URL) -> String {
        let text = url.absoluteString
        return isNormalized(text.utf8) ? text : normalized(text[...])
    }

    /// Whether the slow normalization can be skipped; `false` for some normalized URLs, too, such as those with a port.
    private static func isNormalized(_ text: String.UTF8View) -> Bool {
        let length = text.starts(with: "https://".utf8) ? 8 : text.starts(with: "http://".utf8) ? 7 : 0
        let host = text.dropFirst(length).prefix { $0 != UInt8(ascii: "/") }
        return length > 0 && !host.isEmpty && host.endIndex < text.endIndex && !text.contains(UInt8(ascii: "#"))
            // Letters, and `-`, `.` and digits, which are neighbors in ASCII.
            && host.allSatisfy { 0x61...0x7a ~= $0 || 0x2d...0x39 ~= $0 }
    }

    private static func normalized(_ url: Substring) -> String {
        var text = url
        if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
        guard let scheme = text.range(of: "://") else { return String(text) }
        let name = text[..<scheme.lowerBound].lowercased()
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = rest[..<end].split(separator: "@").last?.lowercased() ?? ""
        for suffix in [name == "http" ? ":80" : ":443", ":"] where authority.hasSuffix(suffix) {
            authority.removeLast(suffix.count)
            break
        }
        let path = rest[end...]
        return "\(name)://\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }
}

struct RequestCacheKeys: Sendable {
    let own: CacheKey
    /// The key of responses that are shared by users who differ in `Authorization` only; `nil` if it equals `own`, or
    /// if nothing may be shared.
    let shared: CacheKey?

    func responses(_ stored: (CacheKey) -> [StoredResponse]) -> [StoredResponse] {
        guard let shared else { return stored(own) }
        return stored(own) + stored(shared).filter(\.isShareable)
    }
}
