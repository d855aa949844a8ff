/// The values that placeholders replace in a recording.
///
/// A value is secret because of its name: of a header field, a cookie, a query key, a form field or a JSON member. The
/// first secret becomes `***1`, the second one `***2`, and so on, wherever it occurs: a token that a login responds
/// with is equal to the one that the next request sends, in the recording, too. Values of six characters or more are
/// replaced in other places, too: in URLs, percent-encoded, in base64, in JSON strings. Numbers become 0; truth values
/// and nulls are shown.
///
/// Not found are secrets in an encrypted or otherwise transformed form, and those whose names are not known: see
/// ``secretNames(and:keeping:values:)``.
public struct RecordingRedaction: Sendable {
    struct Rules: Sendable {
        var names: SensitiveNames
        /// Normalised.
        var kept: Set<String>
        var values: Set<String>
    }

    /// `nil`: nothing is redacted.
    let rules: Rules?

    /// Values with sensitive names are replaced, such as `Authorization`, `Cookie`, `api_key` and `password`.
    public static let secretNames = secretNames()

    /// Nothing is replaced.
    ///
    /// The recording may contain passwords and tokens then.
    public static let nothing = RecordingRedaction(rules: nil)

    /// Values with sensitive names and with the given names are replaced, and the given values.
    ///
    /// - Parameters:
    ///   - others: names of header fields, cookies, query keys, form fields and JSON members; case and punctuation are
    ///     ignored.
    ///   - kept: names whose values are not secret, although their names are sensitive, such as a cookie that holds a
    ///     language.
    ///   - values: secrets that occur without a name, such as a token in a path.
    public static func secretNames(
        and others: Set<String> = [], keeping kept: Set<String> = [], values: Set<String> = []
    ) -> RecordingRedaction {
        RecordingRedaction(
            rules: Rules(
                names: SensitiveNames(others: others),
                kept: Set(kept.map(SensitiveNames.normalized)).union(neverSecret),
                values: values.filter { !$0.isEmpty }))
    }

    func hides(_ name: String) -> Bool {
        guard let rules else { return false }
        return rules.names.contains(name) && !rules.kept.contains(SensitiveNames.normalized(name))
    }

    /// Whether the name is one of those given as not secret.
    func keeps(_ name: String) -> Bool {
        rules?.kept.contains(SensitiveNames.normalized(name)) ?? true
    }

    /// Names that look sensitive because they contain a word such as `token`, but whose values are not secret: they
    /// describe a secret (`token_type`) or ask for one (`WWW-Authenticate`).
    private static let neverSecret: Set<String> = [
        "accesscontrolallowcredentials", "proxyauthenticate", "tokenendpoint", "tokenexpires", "tokenexpiresat",
        "tokenexpiresin", "tokentype", "tokentypehint", "wwwauthenticate",
    ]
}
