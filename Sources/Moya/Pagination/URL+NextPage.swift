import Foundation

extension URL {
    /// Resolves a reference that a server gave for the next page (RFC 3986, section 5).
    ///
    /// - Parameters:
    ///   - reference: the reference, absolute or relative.
    ///   - base: the URL of the response, after redirects.
    ///   - origin: a URL with the required origin (RFC 6454): no other origin may receive the request's credentials.
    /// - Throws: `MoyaError.requestMapping` if the reference is not a URL, has a user name or a password, or has
    ///   another origin.
    static func nextPage(_ reference: String, base: URL?, origin: URL) throws(MoyaError) -> URL {
        // URL parsers disagree about these characters: a URL with a backslash has different hosts in different parsers.
        let isAmbiguous = reference.unicodeScalars.contains { $0 == "\\" || $0.value <= 0x20 || $0.value == 0x7f }
        guard !isAmbiguous, let url = URL(string: reference, relativeTo: base ?? origin)?.absoluteURL else {
            throw .requestMapping("the server's next-page link is not a valid URL")
        }
        try MoyaError.wrapping(url.checkForHTTP)
        guard url.user == nil, url.password == nil else {
            throw .requestMapping("the link to the next page has a user name or a password, which is not sent")
        }
        guard url.origin == origin.origin else {
            throw .requestMapping(
                "the link to the next page leads from \(origin.origin) to \(url.origin): the request and its credentials "
                    + "are not sent to another origin")
        }
        return url
    }
}
