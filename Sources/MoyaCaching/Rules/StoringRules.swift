import Foundation
import MoyaHTTP

/// Decides which responses and which of their header fields are stored (RFC 9111, section 3).
enum StoringRules {
    /// The heuristically cacheable status codes (RFC 9110, section 15.1), without 206, which this cache does not store.
    static let heuristicStatusCodes: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The status codes that this cache understands, for the directive `must-understand` (RFC 9111, section 5.2.2.3).
    private static let understoodStatusCodes: Set<Int> = heuristicStatusCodes.union([
        302, 303, 307, 400, 403, 409, 415, 422, 429, 451, 500, 502, 503, 504,
    ])

    static func isStorable(_ head: ResponseHead, for request: TransportRequest) -> Bool {
        // Partial content (206) is not stored, because this cache does not combine parts (RFC 9111, section 3.3). A 304
        // response has no content of its own, and a challenge (401 or 407) is never reused. 412 and 416 answer the
        // preconditions or the range of one request.
        guard (200...599).contains(head.statusCode), ![206, 304, 401, 407, 412, 416].contains(head.statusCode),
            !CacheControl(request.headers).noStore
        else { return false }
        let directives = CacheControl(head.headers)
        // RFC 9111, section 5.2.2.3: with `must-understand`, a cache that knows the status code ignores `no-store`.
        if directives.mustUnderstand {
            guard understoodStatusCodes.contains(head.statusCode) else { return false }
        } else if directives.noStore {
            return false
        }
        guard head.headers.variedFields != nil else { return false }
        // A stored event stream would be replayed at each reconnection.
        guard !head.isEventStream else { return false }
        // Transports do not decode the content of a request with `Range`, even if the server ignores the range, and a
        // server may send a part with the status code 200.
        guard request.headers["Range"] == nil || !head.headers.hasContentCoding && head.headers["Content-Range"] == nil
        else { return false }
        let isExplicit = directives.maxAge != nil || head.headers["Expires"] != nil
        switch request.method {
        case .get: return !request.hasContent && (isExplicit || isUseful(head, directives))
        // RFC 9110, section 9.3.3: a response to POST may satisfy later GET requests. The conditions are an explicit
        // expiration time, and a `Content-Location` that is the URL of the POST request.
        case .post:
            return isExplicit && head.statusCode == 200
                && request.url(in: "Content-Location", of: head).map { CacheKey.normalized($0) }
                    == CacheKey.normalized(request.url)
        default: return false
        }
    }

    /// Whether it's reusable without an explicit expiration time: after validation, or with a heuristic lifetime.
    private static func isUseful(_ head: ResponseHead, _ directives: CacheControl) -> Bool {
        (heuristicStatusCodes.contains(head.statusCode) || directives.isPublic)
            && (head.headers["ETag"] != nil || head.headers["Last-Modified"] != nil)
    }

    /// Returns the stored fields (RFC 9111, sections 3.1 and 5.2.2.4): not those of one connection or of a proxy, and
    /// not those that `Connection` or `no-cache` names.
    static func storedFields(_ headers: HTTPHeaders) -> HTTPHeaders {
        var excluded = connectionFields
        excluded.formUnion(ListFieldValue(headers["Connection"] ?? "").elements.map { $0.lowercased() })
        let directives = CacheControl(headers)
        if !directives.noCache { excluded.formUnion(directives.noCacheFields) }
        return HTTPHeaders(fields: headers.fields.filter { !excluded.contains($0.name.lowercased()) })
    }

    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "te", "transfer-encoding", "upgrade",
    ]

    /// Whether content has its `Content-Length` (RFC 9111, section 3.3), which is not comparable with a
    /// `Content-Encoding`, because `content` counts decompressed bytes.
    static func isComplete(_ content: Int, _ headers: HTTPHeaders) -> Bool {
        guard headers["Content-Encoding"] == nil, let length = headers["Content-Length"] else { return true }
        return ListFieldValue(length).elements.allSatisfy { Int($0) == content }
    }
}
