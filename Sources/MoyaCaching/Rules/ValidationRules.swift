import Foundation
import MoyaHTTP

/// Creates requests that validate stored responses, and evaluates the responses to them (RFC 9111, section 4.3).
enum ValidationRules {
    /// Returns the request with the validators of a stored response (RFC 9111, section 4.3.1); `nil` if that response
    /// has no valid validators.
    static func request(_ request: TransportRequest, validating stored: StoredResponse) -> TransportRequest? {
        var request = request
        let (tag, modified) = (stored.headers["ETag"], stored.headers["Last-Modified"])
        guard tag != nil || modified != nil else { return nil }
        request.headers["If-None-Match"] = tag
        request.headers["If-Modified-Since"] = modified
        return (try? request.headers.validate()) == nil ? nil : request
    }

    /// Returns whether a 304 response confirms the stored response (RFC 9111, section 4.3.4).
    static func confirms(_ head: ResponseHead, _ stored: StoredResponse) -> Bool {
        if let tag = head.headers["ETag"], let storedTag = stored.headers["ETag"] {
            return EntityTagComparison.isWeak(tag) ? EntityTagComparison.weaklyEqual(tag, storedTag) : tag == storedTag
        }
        guard let modified = head.headers["Last-Modified"], let storedModified = stored.headers["Last-Modified"] else {
            return true
        }
        return modified == storedModified
    }

    /// Returns the fields of a stored response, updated with the fields of a newer one (RFC 9111, section 3.2).
    static func updated(_ stored: HTTPHeaders, by head: HTTPHeaders) -> HTTPHeaders {
        let newer = StoringRules.storedFields(head).fields.filter { !contentFields.contains($0.name.lowercased()) }
        var result = stored
        // The stored `Age` is removed, because the update makes it obsolete.
        result["Age"] = nil
        return result.merging(HTTPHeaders(fields: newer))
    }

    private static let contentFields: Set<String> = ["content-length", "content-encoding", "content-range"]

    /// Returns whether a response to HEAD confirms the stored response to GET as current (RFC 9111, section 4.3.5).
    static func agrees(_ head: ResponseHead, with stored: StoredResponse) -> Bool {
        ["ETag", "Last-Modified"].allSatisfy { name in
            head.headers[name].map { $0 == stored.headers[name] } ?? true
        }
            && (head.headers["Content-Length"].map { length in
                stored.headers["Content-Encoding"] != nil || Int(length) == stored.content.count
            } ?? true)
    }
}

extension TransportRequest {
    /// Returns the normalized URLs that a response to this request invalidates in a cache (RFC 9111, section 4.4).
    ///
    /// The result is empty if the method is safe, or if the status code is not from 200 to 399. Otherwise, the result
    /// contains the URL of the request. It also contains the URLs in `Location` and `Content-Location`, but only those
    /// that have the same origin as the request.
    func urlsInvalidated(by head: ResponseHead) -> [String] {
        guard !method.isSafe, (200..<400).contains(head.statusCode) else { return [] }
        let own = CacheKey.normalized(url)
        let others = ["Location", "Content-Location"].compactMap { name in
            head.headers[name].flatMap { CacheKey.resolved($0, at: url) }
        }
        return [own] + others.filter { Self.origin($0) == Self.origin(own) && $0 != own }
    }

    private static func origin(_ url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? url[..<parts[3].startIndex] : url[...]
    }
}

/// Compares entity tags (RFC 9110, section 8.8.3).
enum EntityTagComparison {
    static func weaklyEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        opaque(left) == opaque(right)
    }

    static func isWeak(_ tag: some StringProtocol) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: some StringProtocol) -> String {
        String(isWeak(tag) ? tag.dropFirst(2) : tag.dropFirst(0))
    }
}
