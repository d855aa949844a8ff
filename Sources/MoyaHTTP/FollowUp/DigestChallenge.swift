import Foundation

/// A challenge of the scheme Digest (RFC 7616) whose parameters are supported.
struct DigestChallenge {
    private static let hashFunctions: [String: @Sendable (String) -> String] = [
        "md5": { MessageDigest.md5($0.utf8).hexadecimal }, "sha-256": { MessageDigest.sha256($0.utf8).hexadecimal },
        "sha-512-256": { MessageDigest.sha512t256($0.utf8).hexadecimal },
    ]

    private let challenge: Challenge
    let nonce: String
    private let hash: @Sendable (String) -> String
    /// Whether the hashes include a client nonce, because the algorithm is a session variant.
    private let isSession: Bool
    /// Whether the server rejected the previous request only because its nonce was too old.
    var isStale: Bool { challenge.parameters["stale"]?.lowercased() == "true" }

    /// `nil` if not Digest, without a nonce, of an unknown algorithm, without `auth`, or with a control character.
    init?(_ challenge: Challenge) {
        guard challenge.scheme == "digest", let nonce = challenge.parameters["nonce"],
            !challenge.parameters.values.contains(where: \.hasControls)
        else { return nil }
        let name = challenge.parameters["algorithm"]?.lowercased() ?? "md5"
        isSession = name.hasSuffix("-sess")
        guard let hash = Self.hashFunctions[isSession ? String(name.dropLast(5)) : name],
            challenge.qualitiesOfProtection?.contains("auth") != false
        else { return nil }
        self.hash = hash
        self.challenge = challenge
        self.nonce = nonce
    }

    /// - Parameter count: the number of requests that have used the nonce, including this one.
    func response(
        user: String, password: String, method: HTTPMethod, url: URL, clientNonce: String, count: Int
    ) -> String {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        let uri = (path.isEmpty ? "/" : path) + query
        let parameters = challenge.parameters
        let realm = parameters["realm"] ?? ""
        let hashesUser = parameters["userhash"]?.lowercased() == "true"
        let hasProtection = challenge.qualitiesOfProtection != nil
        let count = String(format: "%08lx", count)
        var secret = hash("\(user):\(realm):\(password)")
        if isSession { secret = hash("\(secret):\(nonce):\(clientNonce)") }
        let subject = hash("\(method):\(uri)")
        let middle = hasProtection ? "\(nonce):\(count):\(clientNonce):auth" : nonce
        var fields = [
            "username=\(Self.quoted(hashesUser ? hash("\(user):\(realm)") : user))", "realm=\(Self.quoted(realm))",
            "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(uri))", "response=\"\(hash("\(secret):\(middle):\(subject)"))\"",
        ]
        if hashesUser { fields.append("userhash=true") }
        if let algorithm = parameters["algorithm"] { fields.append("algorithm=\(algorithm)") }
        if hasProtection { fields += ["qop=auth", "nc=\(count)", "cnonce=\"\(clientNonce)\""] }
        if let opaque = parameters["opaque"] { fields.append("opaque=\(Self.quoted(opaque))") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.escaping { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
    }
}

extension Challenge {
    /// Whether the challenge can be met only with a hash of the content of the request (`auth-int`).
    var requiresContentHash: Bool {
        scheme == "digest" && qualitiesOfProtection?.contains("auth-int") == true
            && qualitiesOfProtection?.contains("auth") == false
    }

    fileprivate var qualitiesOfProtection: [String]? {
        parameters["qop"].map { $0.lowercased().split(separator: ",").map { String($0.trimmed) } }
    }
}

/// Counts the requests that have used each nonce, for the parameter `nc` (RFC 7616, section 3.4).
package final class NonceCounts: Sendable {
    private static let limit = 256

    private let counts = Locked<[String: Int]>([:])

    package init() {}

    func next(_ nonce: String) -> Int {
        counts.withLock { counts in
            // Limits memory. All counts restart at 1; a server that rejects a repeated count sends a new challenge.
            if counts.count >= Self.limit, counts[nonce] == nil { counts = [:] }
            counts[nonce, default: 0] += 1
            return counts[nonce, default: 1]
        }
    }
}
