public import Moya

/// The rules by which a request equals a recorded request.
///
/// The method, the URL and the content are compared. Secrets are not compared: both requests are redacted first. URLs
/// are normalised (RFC 3986, section 6.2.2). The comparison ignores the order of query parameters, form fields and JSON
/// members, the boundary of multipart content, and whether a space is encoded as `+` or `%20`. Header fields are
/// compared only if ``including(headers:)`` names them.
public struct RequestMatching: Sendable {
    var ignoredNames: Set<String> = []
    var headers: [String] = []
    var comparesContent = true
    var custom: (@Sendable (TransportRequest, HAR.Request) -> Bool)?

    /// The rules that compare the method, the URL and the content.
    public static let `default` = RequestMatching()

    /// Returns a matching that ignores values with the given names, such as dates and nonces, which change with each
    /// run.
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

    /// Returns a matching that also compares the given header fields; secrets in these fields are redacted first.
    public func including(headers names: Set<String>) -> RequestMatching {
        var copy = self
        copy.headers = Set(copy.headers + names.map { $0.lowercased() }).sorted()
        return copy
    }

    /// Returns a matching with an additional condition.
    ///
    /// - Parameter isEqual: compares the request, as it is sent, with a recorded request, as it is in the archive. The
    ///   closure is called only if the requests are equal by all other rules, on the thread that sends the request.
    public func requiring(
        _ isEqual: @escaping @Sendable (TransportRequest, HAR.Request) -> Bool
    ) -> RequestMatching {
        var copy = self
        let former = custom
        copy.custom = { former?($0, $1) ?? true && isEqual($0, $1) }
        return copy
    }
}
