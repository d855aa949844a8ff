import Foundation
import MoyaHTTP

/// Specifies which values of a recording are replaced by placeholders.
///
/// A value is secret if its header field, cookie, query key, form field, JSON member, or XML element or attribute has a
/// sensitive name. Text that is not well-formed, such as JSON that was cut off, is searched for sensitive names, too.
/// Passwords in URLs, bearer tokens and JSON Web Tokens are secret without a name. `code` is secret in queries and
/// forms, and elsewhere if it looks random.
///
/// The placeholders are `***1`, `***2` and so on. Equal secrets have equal placeholders: a token in the response of a
/// login is still equal to the token in the next request. A secret of six bytes or more is also replaced where it
/// occurs without its name, such as in a path or a text, unless it may be a word (fewer than 20 letters, with or
/// without `-`, `_` and `.`) or a number or date of fewer than ten digits: these are only replaced where they are a
/// whole segment of a path. Without its name, a secret may be plain, percent-encoded, encoded in base64 or base64url,
/// or escaped as in JSON or HTML. If a known secret occurs in another encoding, a recorder leaves out the content, and
/// a recording fails.
///
/// Secret numbers become 0. Boolean values and `null` are not replaced. A number under a plural, such as
/// `total_tokens`, is a count and not secret; in a header field, a query or a URL-encoded form, if it has fewer than
/// ten digits. Of JSON members with the same name, only the last one is recorded. Names that describe a secret, such as
/// `token_type`, `refresh_token_expires_in`, `passwordUpdatedAt` and `X-RateLimit-Reset-Tokens`, are not sensitive
/// unless you pass them as `others`.
///
/// All strings in an object with a sensitive name are secret, except under names that describe a secret. Those without
/// a digit, and cookies without a digit, are replaced only there: they may be words. Of the numbers in it, only those
/// are secret that have a sensitive name of their own, or are its `code`, `value` or `id`. An `id` is not replaced if
/// it is a number of fewer than ten digits or a string of fewer than six bytes, because it may be in the path of
/// another request. A URL under a sensitive name stays a URL, in which only its secrets are replaced.
///
/// Content that cannot be searched is left out: request content with a `Content-Encoding`, and content that is neither
/// text nor an image, audio, video or font, if it contains a sensitive name.
///
/// Secrets that are encrypted are not found. Pass further sensitive names and secrets to
/// ``secretNames(and:keeping:values:)``.
public struct RecordingRedaction: Sendable {
    /// `nil` if nothing is redacted.
    let names: SensitiveNames?
    /// The normalized names that are not redacted, even if `names` contains them.
    var kept: Set<String> = []
    var values: Set<String> = []

    /// Replaces the values that have sensitive names, such as `Authorization`, `Cookie`, `api_key` and `password`.
    public static let secretNames = secretNames()

    /// Replaces nothing.
    ///
    /// The recording may then contain passwords and tokens.
    public static let nothing = RecordingRedaction(names: nil)

    /// Returns a redaction with further names and secrets.
    ///
    /// - Parameters:
    ///   - others: names of header fields, cookies, query keys, form fields, JSON members and XML elements; case and
    ///     punctuation are ignored.
    ///   - kept: sensitive names whose values are not secret, such as the name of a cookie that holds a language.
    ///   - values: secrets that occur without a name, such as a token in a path.
    public static func secretNames(
        and others: Set<String> = [], keeping kept: Set<String> = [], values: Set<String> = []
    ) -> RecordingRedaction {
        RecordingRedaction(
            names: SensitiveNames(others: others), kept: Set(kept.map(SensitiveNames.normalized)).union(neverSecret),
            values: values.filter { !$0.isEmpty })
    }

    func hides(_ name: String, _ value: String = "", isForm: Bool = false) -> Bool {
        guard let names, !exempts(name) else { return false }
        return names.contains(name) || SensitiveNames.isAuthorizationCode(name, value, isForm: isForm)
    }

    /// Returns whether bytes that are not text contain a sensitive name.
    func findsName(in bytes: Data) -> Bool {
        guard let names else { return false }
        // Names in ASCII need no decoding, which in tests costs a backtrace for each byte that is not UTF-8.
        let text = names.areASCII ? bytes : Data(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
        let words = Data(text.compactMap { Self.wordBytes[Int($0)] })
        // All words at once first, since a search in each of them takes seconds for a megabyte.
        return names.containsDistinctPart(of: words)
            && words.split(separator: 0).contains {
                names.containsDistinctPart(of: $0) && !kept.contains(String(decoding: $0, as: UTF8.self))
            }
    }

    /// For each byte, its lowercase form if words consist of it; `nil` if words are searched without it, as without
    /// punctuation and the zeros of UTF-16; or 0 if it separates words.
    private static let wordBytes: [UInt8?] = (UInt8.min...(.max)).map { byte in
        if byte.isLetter || byte.isDigit || byte >= 0x80 { return byte.lowercased }
        return byte == 0 || byte.isNameByte ? nil : 0
    }

    /// Whether all of a value stays: its name was passed as `keeping` or is in ``neverSecret``, or nothing is redacted.
    func keeps(_ name: String) -> Bool {
        names == nil || kept.contains(SensitiveNames.normalized(name))
    }

    /// Whether the value of a name is not secret as a whole, although there may be secrets in it.
    func exempts(_ name: String) -> Bool {
        keeps(name) || names?.isDescription(name) ?? true
    }

    /// Names with a word such as `token` that describe a secret or ask for one, such as `WWW-Authenticate`.
    private static let neverSecret: Set<String> = [
        "accesscontrolallowcredentials", "proxyauthenticate", "tokenendpoint", "wwwauthenticate",
    ]
}
