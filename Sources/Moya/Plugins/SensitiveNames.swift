/// Names of header fields, query keys and members whose values are secret.
struct SensitiveNames: Sendable, Hashable {
    private let others: Set<String>

    /// Creates a set of names.
    ///
    /// - Parameter others: more names; case and punctuation are ignored.
    init(others: Set<String>) {
        self.others = Set(others.map(Self.normalized))
    }

    func contains(_ name: String) -> Bool {
        let name = Self.normalized(name)
        return Self.whole.contains(name) || others.contains(name) || Self.parts.contains { name.contains($0) }
    }

    /// Returns the name without case and punctuation, so that `X-Api-Key`, `apiKey` and `api_key` are one name.
    static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let whole: Set<String> = [
        "auth", "cvc", "cvv", "iban", "key", "otp", "pass", "pin", "pwd", "sid", "sig", "ssn",
    ]
    private static let parts = [
        "accesskey", "apikey", "authentic", "authoriz", "authkey", "bearer", "cardnumber", "cookie", "credential",
        "csrf", "jwt", "passphrase", "passcode", "password", "passwd", "privatekey", "secret", "session", "signature",
        "token",
    ]
}
