package import Foundation

/// Names of header fields, cookies, query keys, JSON members and XML elements whose values are secret.
package struct SensitiveNames: Sendable, Hashable {
    private let others: Set<String>
    package var areASCII: Bool { others.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } }

    /// - Parameter others: additional names; their case and punctuation are ignored.
    package init(others: Set<String>) {
        self.others = Set(others.map(Self.normalized))
    }

    // In `user[pin]`, `user.pin` and `pin[0]`, `pin` counts, too; so do some last words, as in `sms_otp`, `smsOTP`.
    package func contains(_ name: String) -> Bool {
        if containsNormalized(Self.normalized(name)) { return true }
        let last = name.split { ".[]/:".contains($0) }.last { !$0.allSatisfy(\.isNumber) } ?? ""
        return last.count < name.count && containsNormalized(Self.normalized(String(last)))
            || Self.lastWords.contains(Self.lastWord(of: last))
    }

    /// Returns whether a name, unless it is an additional one, describes a secret, as `token_type` does.
    package func isDescription(_ name: String) -> Bool {
        let last = name.split { ".[]/:".contains($0) }.last ?? ""
        let name = Self.normalized(name)
        guard !others.contains(name), !others.contains(Self.normalized(String(last))) else { return false }
        // Metadata of a server (RFC 8414), such as `token_endpoint_auth_methods_supported`.
        if name.contains("endpoint"), name.hasSuffix("supported") { return true }
        if name.contains("ratelimit") { return Self.limitEndings.contains { name.hasSuffix($0) } }
        if name.hasSuffix("tokencount") { return true }
        guard let ending = Self.descriptionEndings.first(where: { name.hasSuffix($0) }) else { return false }
        let described = name.dropLast(ending.count)
        if described.isEmpty { return ending != "type" }
        // Not `tokens_by_type`, which has tokens.
        return Self.parts.contains { described.hasSuffix($0) || described.hasSuffix("\($0)s") }
    }

    private static func lastWord(of name: Substring) -> String {
        let bytes = Array(name.utf8)
        var start = bytes.count
        while start > 0, bytes[start - 1].isAlphanumeric {
            start -= 1
            let isCapital = bytes[start].isLetter && bytes[start] & 0x20 == 0
            if isCapital, start > 0, bytes[start - 1].isLetter, bytes[start - 1] & 0x20 != 0 { break }
        }
        return String(decoding: bytes[start...], as: UTF8.self).lowercased()
    }

    /// Returns whether normalized text contains a name that hardly occurs in bytes at random.
    package func containsDistinctPart(of text: Data) -> Bool {
        (Self.parts + others).contains { $0.count >= 5 && text.range(of: Data($0.utf8)) != nil }
    }

    private func containsNormalized(_ name: String) -> Bool {
        if Self.whole.contains(name) || others.contains(name) { return true }
        // Searching bytes is many times faster than `String.contains`.
        let bytes = Array(name.utf8)
        return bytes.indices.contains { start in
            Self.partsByFirstByte[bytes[start]]?.contains { bytes[start...].starts(with: $0) } ?? false
        }
    }

    // Whether a value is an authorization code (RFC 6749, section 4.1.2), and no error code or readable value of that
    // name. `isForm`: whether it is in a query or a form, as OAuth sends its codes.
    package static func isAuthorizationCode(_ name: String, _ value: String, isForm: Bool) -> Bool {
        guard name.lowercased() == "code" else { return false }
        if isForm { return value.utf8.count >= 6 }
        return value.utf8.count >= 16 && !value.contains(" ") && value.filter(\.isNumber).count >= 3
            && value.filter(\.isLetter).count >= 3
    }

    package static func normalized(_ name: String) -> String {
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard !isASCII else { return String(decoding: name.lowercased().utf8.filter(\.isAlphanumeric), as: UTF8.self) }
        return name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let whole: Set<String> = [
        "assertion", "auth", "cvc", "cvv", "iban", "key", "otp", "pass", "pin", "sessid", "sid", "sig", "ssn", "totp",
        "xauth", "xotp",
    ]
    private static let lastWords: Set<String> = ["auth", "cvc", "cvv", "cvv2", "otp", "sid", "ssn", "totp"]
    private static let descriptionEndings = [
        "changedat", "createdat", "expiration", "expirationdate", "expires", "expiresat", "expiresin", "expiry",
        "issuedat", "lifetime", "maxage", "maxlength", "minlength", "persecond", "timeout", "ttl", "type", "typehint",
        "updatedat",
    ]
    private static let limitEndings = ["limit", "remaining", "requests", "reset", "tokens"]
    private static let parts = [
        "2facode", "accesskey", "accountkey", "accountpin", "activationcode", "apikey", "appkey", "applicationkey",
        "authcode", "authentic", "authkey", "authoriz", "backupcode", "bearer", "cardnumber", "cardpin",
        "clientassertion", "codeverifier", "confirmationcode", "connectionstring", "consumerkey", "cookie",
        "credential", "csrf", "databaseurl", "dbpass", "devicecode", "encryptionkey", "functionskey", "hmac", "jwt",
        "licensekey", "logincode", "mailpass", "masterkey", "mfacode", "mnemonic", "newpass", "newpin", "oauthverifier",
        "oldpass", "onetimecode", "otpcode", "passcode", "passkey", "passphrase", "passwd", "password", "phpsessid",
        "privatekey", "pwd", "recoverycode", "resetcode", "samlart", "samlrequest", "samlresponse", "secret",
        "securityanswer", "securitycode", "seedphrase", "servicekey", "session", "sharedkey", "signature", "signingkey",
        "smscode", "smspin", "smtppass", "subscriptionkey", "token", "twofactorcode", "userpass", "userpin",
        "verificationcode", "xsrf",
    ]
    private static let partsByFirstByte = Dictionary(grouping: parts.map { Array($0.utf8) }) { $0[0] }
}

extension HTTPHeaders {
    package static let nonSensitiveNames: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "age", "allow",
        "cache-control", "connection", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-range", "content-type", "date", "etag", "expect", "expires", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "last-modified", "range", "retry-after", "server", "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent", "vary", "via", "warning",
    ]
}
