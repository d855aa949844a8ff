import Foundation
import MoyaHTTP

/// The paths of a cache on disk.
///
/// ```text
/// CACHEDIR.TAG
/// v3/lock                                                 locked while responses are evicted
/// v3/salt                                                 random bytes, see PartitionSalt
/// v3/index/ab/<SHA-256 of the URL>.<partition>/<variant>  the metadata of one response
/// v3/content/ab/<random digits>                           the content of one response, never changed
/// v3/tmp/<process ID>.<random digits>                     files that are being written or removed
/// ```
/// No path contains a URL, a user or the value of a header field: paths contain only hashes of these.
struct DiskLayout: Sendable {
    let root: String

    /// The name of the directory of the current file format; directories of other formats are removed.
    static let versionName = "v3"

    var version: String { "\(root)/\(Self.versionName)" }
    var tag: String { "\(root)/CACHEDIR.TAG" }
    var lock: String { "\(version)/lock" }
    var salt: String { "\(version)/salt" }
    var index: String { "\(version)/index" }
    var content: String { "\(version)/content" }
    var temporary: String { "\(version)/tmp" }

    /// The content of `CACHEDIR.TAG`, which makes backup tools omit the directory (https://bford.info/cachedir/).
    static let tagContent = Data("Signature: 8a477f597d28d172789f06886806bc55\n# Stored HTTP responses\n".utf8)

    /// The directory of all partitions' directories for a URL, and of those for other URLs; and how their names begin.
    func partitions(of url: String) -> (parent: String, prefix: String) {
        let hash = MessageDigest.sha256(url.utf8).hexadecimal
        return ("\(index)/\(hash.prefix(2))", "\(hash).")
    }

    func entries(of key: CacheKey) -> String {
        let (parent, prefix) = partitions(of: key.url)
        let partition = key.partition.map { MessageDigest.sha256($0.utf8).hexadecimal.prefix(16) } ?? "public"
        return "\(parent)/\(prefix)\(partition)"
    }

    func contentFile(_ name: String) -> String {
        "\(content)/\(name.prefix(2).lowercased())/\(name)"
    }

    func temporaryFile() -> String {
        "\(temporary)/\(ProcessInfo.processInfo.processIdentifier).\(String.unique)"
    }

    /// The name of the metadata of a response whose `Vary` names the given fields.
    static func variant(_ fields: [NominatedRequestField]) -> String {
        guard !fields.isEmpty else { return "only" }
        let text = fields.map { field in
            "\(field.name)\0" + (field.value.map { "\($0.utf8.count)\0\($0)\0" } ?? "\0")
        }
        return MessageDigest.sha256(text.joined().utf8).hexadecimal
    }

    /// Whether a name is one that ``variant(_:)`` returns.
    static func isVariant(_ name: String) -> Bool {
        name == "only" || name.utf8.count == 64 && name.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) }
    }
}
