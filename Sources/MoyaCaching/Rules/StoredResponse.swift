import Foundation
import MoyaHTTP
import Synchronization

/// A complete response in a cache, with the data that determine whether it may be reused (RFC 9111, section 3).
final class StoredResponse: Sendable {
    /// The ID of the response; an update of the header fields creates a copy with a new ID.
    let id: UInt64
    let key: CacheKey
    let head: ResponseHead
    let trailers: HTTPHeaders
    let content: StoredContent
    let diskFiles: ResponseFiles?
    /// The fields of the request that `Vary` names, with their values.
    let nominated: [NominatedRequestField]
    let requestTime: Date
    /// The time at which the head was delivered.
    let responseTime: Date
    let directives: CacheControl
    /// The time in the field `Date`; ``responseTime`` if the field is missing or invalid (RFC 9110, section 6.6.1).
    let date: Date
    /// The age at ``responseTime``, in seconds (RFC 9111, section 4.2.3: `corrected_initial_age`).
    let initialAge: TimeInterval
    let lifetime: (seconds: TimeInterval, isHeuristic: Bool)
    /// The sequence number of the last use of this response.
    let lastUse = Atomic<UInt64>(0)

    init(
        id: UInt64, key: CacheKey, head: ResponseHead, trailers: HTTPHeaders, content: StoredContent,
        diskFiles: ResponseFiles? = nil, nominated: [NominatedRequestField], requestTime: Date, responseTime: Date
    ) {
        self.id = id
        self.key = key
        self.head = head
        self.trailers = trailers
        self.content = content
        self.diskFiles = diskFiles
        self.nominated = nominated
        self.requestTime = requestTime
        self.responseTime = responseTime
        directives = CacheControl(head.headers)
        date = head.headers["Date"].flatMap { Date(httpDate: $0, now: responseTime) } ?? responseTime
        initialAge = Freshness.initialAge(
            head.headers, date: date, requestTime: requestTime, responseTime: responseTime)
        lifetime = Freshness.lifetime(head, directives, date: date, responseTime: responseTime)
    }

    var statusCode: Int { head.statusCode }
    var headers: HTTPHeaders { head.headers }

    /// The estimated size of the response in memory, in bytes.
    var size: Int {
        (headers.fields + trailers.fields).reduce(512 + content.count + key.url.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 64
        }
    }

    /// Creates a copy with another key or other content.
    convenience init(
        _ other: StoredResponse, key: CacheKey? = nil, content: StoredContent? = nil, diskFiles: ResponseFiles? = nil
    ) {
        self.init(
            id: other.id, key: key ?? other.key, head: other.head, trailers: other.trailers,
            content: content ?? other.content, diskFiles: diskFiles ?? other.diskFiles, nominated: other.nominated,
            requestTime: other.requestTime, responseTime: other.responseTime)
    }

    /// Whether the response may satisfy requests of other users, who differ in `Authorization` only.
    ///
    /// RFC 9111, section 3.5, allows this for responses with `public`, `s-maxage` or `must-revalidate`. This cache
    /// excludes responses with `must-revalidate` only, because servers also send it with personal data, and responses
    /// that shared caches must revalidate earlier than private caches.
    var isShareable: Bool {
        guard directives.isPublic || directives.sharedMaxAge != nil, !directives.isPrivate,
            headers["Set-Cookie"] == nil, headers["Vary"] == nil
        else { return false }
        return directives.sharedMaxAge.map { Double($0) >= lifetime.seconds } ?? true
    }

    // Whether this response was requested later and is not older (RFC 9111, section 4); the other one ended later,
    // because it is longer.
    func isNewer(than other: StoredResponse) -> Bool {
        requestTime > other.requestTime && (date >= other.date || headers["Date"] == nil)
    }
}

struct ResponseFiles: Sendable {
    let metadataPath: String
    let content: ContentFile
    /// The status of the metadata file, whose modification time is that at which the response was last marked as used.
    let status: FileStatus

    var size: Int { status.size + content.length }
}
