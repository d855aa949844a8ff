// Finds all known secrets in a text, reading it at most twice. Add a secret once for each encoding.
struct KnownSecretSearch: Sendable {
    struct EncodedSecret: Sendable {
        let text: String
        let placeholder: String
        let bytes: [UInt8]
    }

    private struct PrefixIndex: Sendable {
        var length: Int
        /// The encoded secrets that begin with each prefix, as indices in the array `secrets`.
        var indices: [UInt64: [Int]] = [:]
    }

    private var secrets: [EncodedSecret] = []
    private var long = PrefixIndex(length: 8)
    /// The index of the encoded secrets of fewer than eight bytes; `length` is the length of the shortest of them.
    private var short = PrefixIndex(length: 7)

    /// - Parameter text: the secret in one encoding; must not be empty.
    mutating func add(_ text: String, placeholder: String) {
        let secret = EncodedSecret(text: text, placeholder: placeholder, bytes: Array(text.utf8))
        secrets.append(secret)
        if secret.bytes.count >= long.length {
            long.indices[key(secret, long.length), default: []].append(secrets.count - 1)
        } else {
            short.length = min(short.length, secret.bytes.count)
            let entries = secrets.indices.filter { secrets[$0].bytes.count < long.length }
            short.indices = Dictionary(grouping: entries) { key(secrets[$0], short.length) }
        }
    }

    private func key(_ secret: EncodedSecret, _ length: Int) -> UInt64 {
        secret.bytes.prefix(length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Longest first, because one encoded secret may be part of another.
    func found(in bytes: some Sequence<UInt8>) -> [EncodedSecret] {
        guard !secrets.isEmpty else { return [] }
        let bytes = Array(bytes)
        var found: Set<Int> = []
        for index in [long, short] where !index.indices.isEmpty {
            let mask = index.length == 8 ? UInt64.max : (1 << UInt64(8 * index.length)) - 1
            var key: UInt64 = 0
            for end in bytes.indices {
                key = (key << 8 | UInt64(bytes[end])) & mask
                guard end + 1 >= index.length, let entries = index.indices[key] else { continue }
                let rest = bytes[(end + 1 - index.length)...]
                for entry in entries where rest.starts(with: secrets[entry].bytes) { found.insert(entry) }
            }
        }
        return found.sorted { (secrets[$0].text.utf8.count, $1) > (secrets[$1].text.utf8.count, $0) }.map {
            secrets[$0]
        }
    }
}
