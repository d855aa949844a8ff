package import Foundation

/// A server's demand for credentials (RFC 9110, section 11.6.1): a scheme and its parameters.
struct Challenge: Equatable {
    let scheme: String
    let parameters: [String: String]

    static func parse(_ values: [String]) -> [Challenge] {
        values.flatMap { value in
            var reader = FieldValueReader(value[...])
            var challenges: [Challenge] = []
            reader.skip(",")
            while let scheme = reader.challengeToken() {
                var parameters: [String: String] = [:]
                reader.skip(",")
                while let (name, value) = reader.challengeParameter() {
                    parameters[name.lowercased()] = value
                    reader.skip(",")
                }
                challenges.append(Challenge(scheme: scheme.lowercased(), parameters: parameters))
            }
            return challenges
        }
    }
}

extension FieldValueReader {
    fileprivate mutating func challengeToken() -> String? {
        let token = text(before: " \t,=\"")
        return token.isEmpty ? nil : String(token)
    }

    /// Reads the next parameter, a name and a value; reads nothing and returns `nil` if no parameter follows.
    fileprivate mutating func challengeParameter() -> (name: String, value: String)? {
        var reader = self
        guard let name = reader.challengeToken() else { return nil }
        reader.skip()
        guard reader.take("=") else { return nil }
        var padding = reader
        padding.skip("=")
        if padding.isAtEnd || padding.isBefore(",") {
            // The text is a parameter without a value, or a token68 that ends with `=` (RFC 9110, section 11.2).
            self = padding
            return (name, "")
        }
        reader.skip()
        let value = reader.quotedString() ?? reader.challengeToken() ?? ""
        self = reader
        return (name, value)
    }
}

package struct ChallengeResponder: Sendable {
    let user: String
    let password: String
    let origin: String
    let nonces: NonceCounts

    package init?(_ credential: URLCredential?, for url: URL, nonces: NonceCounts) {
        guard let credential, let user = credential.user else { return nil }
        self.user = user
        password = credential.password ?? ""
        origin = url.origin
        self.nonces = nonces
    }

    // Returns the next request; `nil` if the response is delivered. `attempts`: how often the request was sent with
    // credentials. After one, it is sent again only if the nonce is stale; after two, the response is delivered.
    func request(
        after head: ResponseHead, to request: TransportRequest, attempts: Int
    ) throws(URLError) -> TransportRequest? {
        guard head.statusCode == 401, request.url.origin == origin else { return nil }
        let challenges = Challenge.parse(head.headers.values(for: "WWW-Authenticate"))
        let digest = challenges.lazy.compactMap(DigestChallenge.init).first
        guard attempts == 0 || attempts == 1 && digest?.isStale == true else { return nil }
        var next = request
        guard digest != nil || challenges.contains(where: { $0.scheme == "basic" }) else {
            guard challenges.contains(where: \.requiresContentHash) else { return nil }
            throw URLError(
                .userAuthenticationRequired,
                "the server requires the quality of protection auth-int of the scheme Digest, which is not supported. "
                    + "Make it accept auth.")
        }
        guard !user.hasControls, !password.hasControls else {
            throw URLError(.userAuthenticationRequired, "a user name or password contains a control character")
        }
        if let digest {
            next.headers["Authorization"] = digest.response(
                user: user, password: password, method: request.method, url: request.url,
                clientNonce: .unique, count: nonces.next(digest.nonce))
        } else {
            // RFC 7617, section 2: a server takes everything after the first colon of `user:password` as the password.
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw URLError(
                    .userAuthenticationRequired, "a user name for the scheme Basic cannot contain a colon")
            }
            next.headers["Authorization"] = HTTPHeaders.basicCredentials(user, password)
        }
        return next
    }
}

extension HTTPHeaders {
    /// The value of `Authorization` for the scheme Basic (RFC 7617, section 2).
    package static func basicCredentials(_ user: String, _ password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
}
