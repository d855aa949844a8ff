/// Names of header fields, query keys and JSON members whose values are secret.
struct SensitiveNames: Sendable, Hashable {
    private let others: Set<String>

    /// Creates a set that contains the built-in names and `others`.
    ///
    /// - Parameter others: additional names; their case and punctuation are ignored.
    init(others: Set<String>) {
        self.others = Set(others.map(Self.normalized))
    }

    func contains(_ name: String) -> Bool {
        let name = Self.normalized(name)
        return Self.whole.contains(name) || others.contains(name) || Self.parts.contains { name.contains($0) }
    }

    /// Returns the name in lower case and without punctuation.
    ///
    /// For example, `X-Api-Key` becomes `xapikey`. Both `api_key` and `apiKey` become `apikey`.
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
