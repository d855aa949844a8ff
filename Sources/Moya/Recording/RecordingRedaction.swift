/// Specifies which values of a recording are replaced by placeholders.
///
/// A value is secret if its header field, cookie, query key, form field or JSON member has a sensitive name. The
/// placeholders are `***1`, `***2` and so on. Equal secrets have equal placeholders: a token in the response of a login
/// is still equal to the token in the next request. A secret of six bytes or more is also replaced where it occurs
/// without its name, such as in a path or a text. There, the secret may be plain, percent-encoded or encoded in base64.
/// Secret numbers become 0. Boolean values and `null` are not replaced.
///
/// Secrets that are encrypted or otherwise transformed are not found. Pass further sensitive names and secrets to
/// ``secretNames(and:keeping:values:)``.
public struct RecordingRedaction: Sendable {
    struct Rules: Sendable {
        var names: SensitiveNames
        /// The normalized names that are not redacted, even if `names` contains them.
        var kept: Set<String>
        var values: Set<String>
    }

    /// The names and values that are redacted; `nil` if nothing is redacted.
    let rules: Rules?

    /// Replaces the values that have sensitive names, such as `Authorization`, `Cookie`, `api_key` and `password`.
    public static let secretNames = secretNames()

    /// Replaces nothing.
    ///
    /// The recording may then contain passwords and tokens.
    public static let nothing = RecordingRedaction(rules: nil)

    /// Returns a redaction that replaces two kinds of values: those that have a sensitive name or a name in `others`,
    /// and the secrets in `values`.
    ///
    /// - Parameters:
    ///   - others: names of header fields, cookies, query keys, form fields and JSON members; case and punctuation are
    ///     ignored.
    ///   - kept: sensitive names whose values are not secret, such as the name of a cookie that holds a language.
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

    /// Returns `true` if a name is exempt from redaction, or if nothing is redacted.
    ///
    /// The exempt names are those that were passed as `keeping`, and those in ``neverSecret``.
    func keeps(_ name: String) -> Bool {
        rules?.kept.contains(SensitiveNames.normalized(name)) ?? true
    }

    /// Names that contain a word such as `token`, but whose values are not secret.
    ///
    /// Such a value describes a secret (`token_type`) or asks for one (`WWW-Authenticate`).
    private static let neverSecret: Set<String> = [
        "accesscontrolallowcredentials", "proxyauthenticate", "tokenendpoint", "tokenexpires", "tokenexpiresat",
        "tokenexpiresin", "tokentype", "tokentypehint", "wwwauthenticate",
    ]
}
