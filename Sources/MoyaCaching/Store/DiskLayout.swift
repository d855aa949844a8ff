import Foundation
import MoyaHTTP

/// The paths of a cache on disk.
///
/// ```text
/// CACHEDIR.TAG
/// v2/lock                                                 locked while responses are evicted
/// v2/salt                                                 random bytes, see PartitionSalt
/// v2/index/ab/<SHA-256 of the URL>/<partition>.<variant>  the metadata of one response
/// v2/content/ab/<random digits>                           the content of one response, never changed
/// v2/tmp/<process ID>.<random digits>                     files that are being written or removed
/// ```
/// No path contains a URL, a user or the value of a header field: paths contain only hashes of these.
struct DiskLayout: Sendable {
    let root: String

    /// The name of the directory of the current file format; directories of other formats are removed.
    static let versionName = "v2"

    var version: String { "\(root)/\(Self.versionName)" }
    var tag: String { "\(root)/CACHEDIR.TAG" }
    var lock: String { "\(version)/lock" }
    var salt: String { "\(version)/salt" }
    var index: String { "\(version)/index" }
    var content: String { "\(version)/content" }
    var temporary: String { "\(version)/tmp" }

    /// The content of `CACHEDIR.TAG`, which makes backup tools omit the directory (https://bford.info/cachedir/).
    static let tagContent = Data(
        """
        Signature: 8a477f597d28d172789f06886806bc55
        # This directory contains stored HTTP responses. It may be removed at any time.

        """.utf8)

    func entries(of url: String) -> String {
        let hash = MessageDigest.sha256(url.utf8).hexadecimal
        return "\(index)/\(hash.prefix(2))/\(hash)"
    }

    func contentFile(_ name: String) -> String {
        "\(content)/\(name.prefix(2).lowercased())/\(name)"
    }

    func temporaryFile() -> String {
        "\(temporary)/\(ProcessInfo.processInfo.processIdentifier).\(String.unique)"
    }

    static func prefix(ofPartition partition: String?) -> String {
        partition.map { "\(MessageDigest.sha256($0.utf8).hexadecimal.prefix(16))." } ?? "public."
    }

    static func name(of response: StoredResponse) -> String {
        prefix(ofPartition: response.key.partition) + variant(response.nominated)
    }

    private static func variant(_ fields: [NominatedRequestField]) -> String {
        guard !fields.isEmpty else { return "only" }
        let text = fields.map { field in
            "\(field.name)\0" + (field.value.map { "\($0.utf8.count)\0\($0)\0" } ?? "\0")
        }
        return MessageDigest.sha256(text.joined().utf8).hexadecimal
    }

    static func isEntry(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && (parts[0] == "public" || isHash(parts[0], 16))
            && (parts[1] == "only" || isHash(parts[1], 64))
    }

    private static func isHash(_ text: Substring, _ length: Int) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
