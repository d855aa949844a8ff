// Finds all known secrets in a text, reading it at most twice. Add a secret once for each encoding.
struct KnownSecretSearch: Sendable {
    private struct Match {
        let range: Range<Int>
        /// The index in the array `secrets`.
        let secret: Int
    }

    private struct PrefixIndex: Sendable {
        var length: Int
        /// The encoded secrets that begin with each prefix, as indices in the array `secrets`.
        var indices: [UInt64: [Int]] = [:]
    }

    private var secrets: [(bytes: [UInt8], placeholder: String)] = []
    private var long = PrefixIndex(length: 8)
    /// The index of the encoded secrets of fewer than eight bytes; `length` is the length of the shortest of them.
    private var short = PrefixIndex(length: 7)

    /// - Parameter text: the secret in one encoding; must not be empty.
    mutating func add(_ text: String, placeholder: String) {
        let bytes = Array(text.utf8)
        secrets.append((bytes, placeholder))
        if bytes.count >= long.length {
            long.indices[key(bytes, long.length), default: []].append(secrets.count - 1)
        } else if bytes.count >= short.length {
            short.indices[key(bytes, short.length), default: []].append(secrets.count - 1)
        } else {
            short.length = bytes.count
            let entries = secrets.indices.filter { secrets[$0].bytes.count < long.length }
            short.indices = Dictionary(grouping: entries) { key(secrets[$0].bytes, short.length) }
        }
    }

    private func key(_ bytes: [UInt8], _ length: Int) -> UInt64 {
        bytes.prefix(length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func finds(in bytes: [UInt8]) -> Bool { !matches(in: bytes).isEmpty }

    /// Returns text with placeholders in place of secrets: of the longest first, because one may be part of another.
    func replacingSecrets(in text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let matches = matches(in: bytes).sorted {
            ($1.range.count, $0.secret, $0.range.lowerBound) < ($0.range.count, $1.secret, $1.range.lowerBound)
        }
        guard !matches.isEmpty else { return text }
        var isReplaced = [Bool](repeating: false, count: bytes.count)
        var chosen: [Match] = []
        for match in matches {
            // A longer match that overlaps this one contains one of its ends.
            guard !isReplaced[match.range.lowerBound], !isReplaced[match.range.upperBound - 1] else { continue }
            for index in match.range { isReplaced[index] = true }
            chosen.append(match)
        }
        var result: [UInt8] = []
        var end = 0
        for match in chosen.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[end..<match.range.lowerBound]
            result += secrets[match.secret].placeholder.utf8
            end = match.range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }

    private func matches(in bytes: [UInt8]) -> [Match] {
        var matches: [Match] = []
        for index in [long, short] where !index.indices.isEmpty {
            let mask = index.length == 8 ? UInt64.max : (1 << UInt64(8 * index.length)) - 1
            var key: UInt64 = 0
            for end in bytes.indices {
                key = (key << 8 | UInt64(bytes[end])) & mask
                guard end + 1 >= index.length, let entries = index.indices[key] else { continue }
                let start = end + 1 - index.length
                for entry in entries where bytes[start...].starts(with: secrets[entry].bytes) {
                    matches.append(Match(range: start..<(start + secrets[entry].bytes.count), secret: entry))
                }
            }
        }
        return matches
    }
}
