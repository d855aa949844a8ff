import Foundation

/// What is done about a redirect (RFC 9110, section 15.4).
///
/// Requests are followed above the engines, the same for each. To another origin (scheme, host or port) only header fields
/// are sent along that are known to hold no secret, such as `Accept`; from `https` to `http` nobody is followed.
public struct RedirectPolicy: Sendable, Hashable {
    private let limit: Int
    private let keptHeaders: Set<String>

    /// None is followed: the answer is the redirect itself.
    public static let never = RedirectPolicy(limit: 0, keptHeaders: [])
    /// Up to ten in a row are followed.
    public static let follow = follow(limit: 10)

    /// Some in a row are followed.
    ///
    /// 301 and 302 make a GET of a POST, 303 one of everything but HEAD, without its content; 307 and 308 send the same again.
    ///
    /// - Parameters:
    ///   - limit: how many; one more is an error of the kind `badResponse`.
    ///   - keptHeaders: names of more header fields that are sent to another origin.
    public static func follow(limit: Int, keptHeaders: Set<String> = []) -> RedirectPolicy {
        RedirectPolicy(limit: max(limit, 0), keptHeaders: Set(keptHeaders.map { $0.lowercased() }))
    }

    /// What follows on a head, as far as redirects go.
    func step(_ head: ResponseHead, _ request: TransportRequest, redirects: Int) -> Conversation.Step {
        guard limit > 0, [301, 302, 303, 307, 308].contains(head.statusCode), let location = head.headers["Location"]
        else { return .deliver }
        guard redirects < limit else {
            return .fail(URLError(.httpTooManyRedirects, "more than \(limit) redirects in a row"))
        }
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = target.host(percentEncoded: false), !host.isEmpty, !host.utf8.contains(0),
            (1...65_535).contains(target.port ?? 80)
        else {
            return .fail(URLError(.redirectToNonExistentLocation, "the redirect leads to no http or https URL"))
        }
        guard scheme == "https" || request.url.scheme?.lowercased() == "http" else {
            return .fail(URLError(.redirectToNonExistentLocation, "the redirect leads from https to http"))
        }
        return .goOn(redirected(request, to: target, head.statusCode))
    }

    private func redirected(_ request: TransportRequest, to url: URL, _ statusCode: Int) -> TransportRequest {
        var next = request
        next.url = url
        let dropsContent = [301, 302].contains(statusCode) && request.method == .post
        if dropsContent || statusCode == 303 && request.method != .head {
            next.method = .get
            next.body = .none
            for field in next.headers.fields where field.name.lowercased().hasPrefix("content-") {
                next.headers[field.name] = nil
            }
        }
        if url.origin != request.url.origin {
            for field in next.headers.fields where !isForEverybody(field.name) { next.headers[field.name] = nil }
        }
        return next
    }

    private func isForEverybody(_ name: String) -> Bool {
        let name = name.lowercased()
        return name != "host" && (HTTPHeaders.nonSensitiveNames.contains(name) || keptHeaders.contains(name))
    }
}

extension URL {
    /// Scheme, host and port (RFC 9110, section 4.3.1).
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host(percentEncoded: false)?.lowercased() ?? ""):\(port)"
    }
}

extension URLError {
    /// With words of its own.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
