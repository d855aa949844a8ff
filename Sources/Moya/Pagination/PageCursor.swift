import Foundation

/// The locator of a page: a URL or a token that the server gave for it.
///
/// It can be kept, encoded as JSON, and used later to go on from there, see ``Pages/resumed(at:)``. It holds no header fields,
/// and so no credentials that these have; a URL is as the server wrote it, with its query.
public struct PageCursor: Sendable, Hashable, Codable {
    enum Locator: Sendable, Hashable, Codable {
        case url(String)
        case token(String)
    }

    let locator: Locator
}

/// The places of the last pages of one iteration: a server that leads back to one of them would never come to an end.
final class PageHistory: Sendable {
    private struct State: Sendable {
        var known: Set<Int> = []
        var order = Queue<Int>()
    }

    private static let limit = 1000
    private let state = Locked(State())

    /// Whether the locator is new.
    func insert(_ locator: PageCursor.Locator) -> Bool {
        let hash = locator.hashValue
        return state.withLock { state in
            guard state.known.insert(hash).inserted else { return false }
            state.order.append(hash)
            if state.known.count > Self.limit, let oldest = state.order.popFirst() { state.known.remove(oldest) }
            return true
        }
    }
}

extension URL {
    /// Resolves a reference that a server gave for the next page (RFC 3986, section 5).
    ///
    /// - Parameters:
    ///   - reference: absolute or relative.
    ///   - base: the URL of the response, after redirects.
    ///   - origin: where the next page must be, because the request has credentials (RFC 6454).
    /// - Throws: `MoyaError.requestMapping` for what is no URL, and for another origin.
    static func nextPage(_ reference: String, base: URL?, origin: URL) throws(MoyaError) -> URL {
        // Parsers disagree about what these stand for: a URL with a backslash has one host here and another one there.
        let isAmbiguous = reference.unicodeScalars.contains { $0 == "\\" || $0.value <= 0x20 || $0.value == 0x7f }
        guard !isAmbiguous, let url = URL(string: reference, relativeTo: base ?? origin)?.absoluteURL else {
            throw .requestMapping("the link to the next page is not a URL: ask for the page with a token, or stop here")
        }
        try url.checkForHTTP()
        guard url.user == nil, url.password == nil else {
            throw .requestMapping("the link to the next page has a user name or a password, which is not sent")
        }
        guard url.webOrigin == origin.webOrigin else {
            throw .requestMapping(
                "the link to the next page leads from \(origin.webOrigin) to \(url.webOrigin): the request and its credentials "
                    + "are not sent to another origin")
        }
        return url
    }

    /// Scheme, host and port (RFC 6454, section 4).
    private var webOrigin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host()?.lowercased() ?? ""):\(port)"
    }
}
