// Finds all known secrets in a text, reading it once. Add a secret once for each encoding.
struct KnownSecretSearch: Sendable {
    /// An occurrence of a secret, with its index in the array `secrets`.
    private typealias Match = (range: Range<Int>, secret: Int)

    private var secrets: [(bytes: [UInt8], placeholder: String)] = []
    /// The encoded secrets that begin with each prefix, as indices in the array `secrets`.
    private var indices: [UInt64: [Int]] = [:]
    /// The length in bytes of the prefixes: that of the shortest secret, but at most 8.
    private var prefixLength = 8

    /// - Parameter text: the secret in one encoding; must not be empty.
    mutating func add(_ text: String, placeholder: String) {
        let bytes = Array(text.utf8)
        secrets.append((bytes, placeholder))
        if bytes.count >= prefixLength {
            indices[prefix(of: bytes), default: []].append(secrets.count - 1)
        } else {
            prefixLength = bytes.count
            indices = Dictionary(grouping: secrets.indices) { prefix(of: secrets[$0].bytes) }
        }
    }

    private func prefix(of bytes: [UInt8]) -> UInt64 {
        bytes.prefix(prefixLength).reduce(0) { $0 << 8 | UInt64($1) }
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
        let mask = UInt64.max >> UInt64(64 - 8 * prefixLength)
        var matches: [Match] = []
        var prefix: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            prefix = (prefix << 8 | UInt64(byte)) & mask
            let start = index + 1 - prefixLength
            guard start >= 0, let secretsAtStart = indices[prefix] else { continue }
            for secret in secretsAtStart where bytes[start...].starts(with: secrets[secret].bytes) {
                matches.append((start..<start + secrets[secret].bytes.count, secret))
            }
        }
        return matches
    }
}
