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

    // Returns whether a 304 response to the validation of the stored response confirms it. The comparison is weak (RFC
    // 9110, section 13.1.2): a server that compresses, such as nginx, marks the tag of the stored response as weak, but
    // not that of the 304 response.
    static func confirms(_ head: ResponseHead, _ stored: StoredResponse) -> Bool {
        if let tag = head.headers["ETag"], let storedTag = stored.headers["ETag"] {
            return tag.opaqueTag == storedTag.opaqueTag
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
        // The update makes `Age` obsolete, and `Date`, too: without a new one, the time of receipt counts (RFC 9110,
        // section 6.6.1).
        for name in ["Age", "Date"] { result[name] = nil }
        let tag = stored["ETag"]
        result = result.merging(HTTPHeaders(fields: newer))
        // The tag of the stored content, which may be weaker.
        if let tag, result["ETag"]?.opaqueTag == tag.opaqueTag { result["ETag"] = tag }
        return result
    }

    private static let contentFields: Set<String> = ["content-length", "content-encoding", "content-range"]

    /// Returns whether a response to HEAD confirms the stored response to GET as current (RFC 9111, section 4.3.5).
    static func agrees(_ head: ResponseHead, with stored: StoredResponse) -> Bool {
        ["ETag", "Last-Modified"].allSatisfy { name in
            head.headers[name].map { $0.opaqueTag == stored.headers[name]?.opaqueTag } ?? true
        }
            && (head.headers["Content-Length"].map { length in
                stored.headers["Content-Encoding"] != nil || Int(length) == stored.content.count
            } ?? true)
    }
}

extension TransportRequest {
    /// Returns the normalized URLs that a response to this request invalidates in a cache (RFC 9111, section 4.4).
    func urlsInvalidated(by head: ResponseHead) -> [String] {
        guard !method.isSafe, (200..<400).contains(head.statusCode) else { return [] }
        let others = ["Location", "Content-Location"].compactMap { self.url(in: $0, of: head) }
        return ([url] + others.filter { $0.origin == url.origin && $0 != url }).map { CacheKey.normalized($0) }
    }

    func url(in name: String, of head: ResponseHead) -> URL? {
        head.headers[name].flatMap { URL(keepingEscapesIn: $0, relativeTo: url)?.absoluteURL }
    }
}

extension StringProtocol {
    var isWeakTag: Bool { hasPrefix("W/") }

    /// The entity tag without the mark of a weak one, for weak comparisons (RFC 9110, section 8.8.3.2).
    var opaqueTag: SubSequence { isWeakTag ? dropFirst(2) : self[...] }
}
