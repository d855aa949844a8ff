import Foundation

/// The rules for following redirects (RFC 9110, section 15.4).
///
/// Redirects are followed in the same way for all transports. A redirected request to another origin (scheme, host or
/// port) has only the header fields that are known not to be sensitive, such as `Accept`, and `Last-Event-ID`. A
/// redirect from `https` to `http`, or to several different locations, is an error.
public struct RedirectPolicy: Sendable, Hashable {
    private let limit: Int
    private let keptHeaders: Set<String>

    /// The policy that follows no redirects: the response with the redirect is delivered.
    public static let never = RedirectPolicy(limit: 0, keptHeaders: [])
    /// The policy that follows up to ten redirects in a row.
    public static let follow = follow(maximumRedirects: 10)

    /// Returns a policy that follows at most `maximumRedirects` redirects in a row.
    ///
    /// After the status codes 301 and 302, a POST becomes a GET without content. After 303, every method except HEAD
    /// becomes a GET without content. After 307 and 308, the method and the content do not change.
    ///
    /// - Parameters:
    ///   - maximumRedirects: the maximum number of redirects; one more is an error of the kind `badResponse`. With 0,
    ///     no redirect is followed, as with ``never``.
    ///   - keptHeaders: the names of additional header fields that are sent to another origin.
    public static func follow(maximumRedirects: Int, keptHeaders: Set<String> = []) -> RedirectPolicy {
        RedirectPolicy(limit: max(maximumRedirects, 0), keptHeaders: Set(keptHeaders.map { $0.lowercased() }))
    }

    // Returns the next request; `nil` if the response is delivered. `redirects`: how many were already followed.
    func request(
        after head: ResponseHead, to request: TransportRequest, redirects: Int
    ) throws(URLError) -> TransportRequest? {
        guard limit > 0, [301, 302, 303, 307, 308].contains(head.statusCode) else { return nil }
        let locations = Set(head.headers.values(for: "Location"))
        guard let location = locations.first else { return nil }
        guard locations.count == 1 else {
            throw URLError(.redirectToNonExistentLocation, "the redirect has different values of Location")
        }
        guard redirects < limit else { throw URLError(.httpTooManyRedirects, "more than \(limit) redirects in a row") }
        guard let target = URL(keepingEscapesIn: location, relativeTo: request.url)?.absoluteURL,
            (try? target.checkForHTTP()) != nil, target.port != 0,
            target.host(percentEncoded: false)?.utf8.contains(0) == false
        else { throw URLError(.redirectToNonExistentLocation, "the redirect is not to a valid http or https URL") }
        guard target.isSecure || !request.url.isSecure else {
            throw URLError(.redirectToNonExistentLocation, "the redirect is from https to http")
        }
        var next = request
        next.url = target.withoutDotSegments
        let dropsContent = [301, 302].contains(head.statusCode) && request.method == .post
        if dropsContent || head.statusCode == 303 && request.method != .head {
            next.method = .get
            next.body = .none
            // RFC 9110, section 10.1.1: a request without content expects nothing.
            next.headers.fields.removeAll { $0.name.lowercased().hasPrefix("content-") || $0.isNamed("Expect") }
        }
        if next.url.origin != request.url.origin {
            next.headers.fields.removeAll { !mayCrossOrigins($0.name) }
        }
        return next
    }

    private func mayCrossOrigins(_ name: String) -> Bool {
        let name = name.lowercased()
        // As in browsers, an event stream continues after its last event, wherever a redirect leads.
        if name == "last-event-id" { return true }
        return name != "host" && (HTTPHeaders.nonSensitiveNames.contains(name) || keptHeaders.contains(name))
    }
}
