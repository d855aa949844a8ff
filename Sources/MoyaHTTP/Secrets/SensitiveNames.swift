package import Foundation

/// Names of header fields, cookies, query keys, JSON members and XML elements whose values are secret.
package struct SensitiveNames: Sendable, Hashable {
    private let others: Set<String>
    package var areASCII: Bool { others.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } } }

    /// - Parameter others: additional names; their case and punctuation are ignored.
    package init(others: Set<String>) {
        self.others = Set(others.map(Self.normalized))
    }

    /// Returns whether the values of a name are secret; in `user[pin]`, `user.pin` and `pin[0]`, `pin` counts, too.
    package func contains(_ name: String) -> Bool {
        if containsNormalized(Self.normalized(name)) { return true }
        let last = name.split { ".[]/:".contains($0) }.last { !$0.allSatisfy(\.isNumber) } ?? ""
        return last.count < name.count && containsNormalized(Self.normalized(String(last)))
    }

    /// Returns whether normalized text contains a name that hardly occurs in bytes at random.
    package func containsDistinctPart(of text: Data) -> Bool {
        (Self.parts + others).contains { $0.count >= 5 && text.range(of: Data($0.utf8)) != nil }
    }

    private func containsNormalized(_ name: String) -> Bool {
        Self.whole.contains(name) || others.contains(name) || Self.parts.contains { name.contains($0) }
    }

    /// Returns whether a value is an authorization code (RFC 6749, section 4.1.2), judged by its name and its shape.
    ///
    /// `code` is also the name of error codes and other short or readable values, which are not secret.
    ///
    /// - Parameter isForm: whether the value is in a query or a form, as OAuth sends its codes.
    package static func isAuthorizationCode(_ name: String, _ value: String, isForm: Bool) -> Bool {
        guard name.lowercased() == "code" else { return false }
        if isForm { return value.utf8.count >= 6 }
        return value.utf8.count >= 16 && !value.contains(" ") && value.filter(\.isNumber).count >= 3
            && value.filter(\.isLetter).count >= 3
    }

    package static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let whole: Set<String> = [
        "assertion", "auth", "cvc", "cvv", "iban", "key", "otp", "pass", "pin", "sid", "sig", "ssn", "totp", "xauth",
        "xotp",
    ]
    private static let parts = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "authentic", "authoriz", "authkey", "bearer",
        "cardnumber", "clientassertion", "codeverifier", "consumerkey", "cookie", "credential", "csrf", "encryptionkey",
        "hmac", "jwt", "masterkey", "mfacode", "otpcode", "passphrase", "passcode", "password", "passwd", "privatekey",
        "pwd", "samlrequest", "samlresponse", "secret", "securitycode", "session", "signature", "signingkey",
        "subscriptionkey", "token", "userpass", "verificationcode",
    ]
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
