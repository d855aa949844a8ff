public import Moya

/// Decides whether a request is equal to a recorded one.
///
/// Compared are the method, the URL and the content. Secrets are not: both requests are redacted first. URLs are
/// normalised (RFC 3986, section 6.2.2), the order of query parameters, form fields and JSON members has no meaning,
/// and neither have `+` instead of `%20` and the boundary of multipart content. Header fields are compared if they are
/// named.
public struct RequestMatching: Sendable {
    var ignoredNames: Set<String> = []
    var headers: [String] = []
    var comparesContent = true
    var custom: (@Sendable (TransportRequest, HAR.Request) -> Bool)?

    /// Method, URL and content are compared.
    public static let `default` = RequestMatching()

    /// Returns a matching that ignores values that change with each run, such as dates and nonces.
    ///
    /// - Parameter names: names of query parameters, form fields, parts of forms and JSON members at any depth.
    public func ignoring(_ names: Set<String>) -> RequestMatching {
        var copy = self
        copy.ignoredNames.formUnion(names)
        return copy
    }

    /// Returns a matching that does not compare content.
    public func ignoringContent() -> RequestMatching {
        var copy = self
        copy.comparesContent = false
        return copy
    }

    /// Returns a matching that compares header fields, too, whose secret values are redacted.
    public func including(headers names: Set<String>) -> RequestMatching {
        var copy = self
        copy.headers = Set(copy.headers + names.map { $0.lowercased() }).sorted()
        return copy
    }

    /// Returns a matching with an additional condition.
    ///
    /// - Parameter isEqual: receives the request as it is sent, and a recorded one as it is in the archive; called on
    ///   the thread that sends the request, for entries that are equal otherwise.
    public func requiring(
        _ isEqual: @escaping @Sendable (TransportRequest, HAR.Request) -> Bool
    ) -> RequestMatching {
        var copy = self
        let former = custom
        copy.custom = { former?($0, $1) ?? true && isEqual($0, $1) }
        return copy
    }
}
