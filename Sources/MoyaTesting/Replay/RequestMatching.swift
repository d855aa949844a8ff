public import Moya

/// The rules that decide whether a request equals a recorded request.
///
/// The method, the URL and the content are compared. Secrets are not compared: both requests are redacted first. If no
/// entry is equal, the placeholder of a secret in a recorded request stands for any text: another message may have
/// named the value as secret later, or this run has no credentials. In the mode ``ReplayTransport/Mode/recordMissing``,
/// such a request is sent instead.
///
/// URLs are normalized (RFC 3986, section 6.2.2). The comparison ignores the order of query parameters, form fields and
/// JSON members, the boundary of multipart content, and whether a space is encoded as `+` or `%20`. Header fields are
/// compared only if ``including(headers:)`` names them; but a recorded 304 is for requests with a precondition only.
public struct RequestMatching: Sendable {
    var ignoredNames: Set<String> = []
    var headers: [String] = []
    var comparesContent = true
    var custom: (@Sendable (TransportRequest, HAR.Request) -> Bool)?

    /// The rules that compare the method, the URL and the content.
    public static let `default` = RequestMatching()

    /// Returns a copy of these rules that ignores the values with the given names.
    ///
    /// Use this method for values that change with each run, such as dates and nonces.
    ///
    /// - Parameter names: names of query parameters, form fields, parts of forms and JSON members at any depth.
    public func ignoring(_ names: Set<String>) -> RequestMatching {
        var copy = self
        copy.ignoredNames.formUnion(names)
        return copy
    }

    /// Returns a copy of these rules that does not compare content.
    public func ignoringContent() -> RequestMatching {
        var copy = self
        copy.comparesContent = false
        return copy
    }

    /// Returns a copy of these rules that compares the given header fields; secrets in these fields are redacted first.
    public func including(headers names: Set<String>) -> RequestMatching {
        var copy = self
        copy.headers = Set(copy.headers + names.map { $0.lowercased() }).sorted()
        return copy
    }

    /// Returns a copy of these rules with an additional condition.
    ///
    /// - Parameter isEqual: returns whether a request equals a recorded request. The first argument is the request with
    ///   its secrets; the second argument is the recorded request as it is in the archive. The closure is called on the
    ///   thread that sends the request, and only if the two requests are equal by the other rules.
    public func requiring(
        _ isEqual: @escaping @Sendable (TransportRequest, HAR.Request) -> Bool
    ) -> RequestMatching {
        var copy = self
        let former = custom
        copy.custom = { former?($0, $1) ?? true && isEqual($0, $1) }
        return copy
    }
}
