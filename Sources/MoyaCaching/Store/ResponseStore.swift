import Foundation
import MoyaHTTP

// Stores the responses of a cache in the order of the calls, without waiting for a disk. Nothing fails: a response that
// can't be read is not found, and one that can't be written is not stored.
protocol ResponseStore: Sendable {
    var statistics: HTTPCache.Statistics { get }

    /// Returns the stored responses of a key immediately; `nil` if the store has to wait for a disk.
    func storedResponses(for keys: RequestCacheKeys) -> [StoredResponse]?
    /// Calls `receive` once. Responses that don't match `request` may be returned too, possibly without content.
    func lookUp(
        _ keys: RequestCacheKeys, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void)
    /// Changes the stored responses for a request that match it, before any later look-up; `nil` is no change.
    func revise(
        _ keys: RequestCacheKeys, for request: HTTPHeaders,
        _ change: @escaping @Sendable (StoredResponse) -> StoreChange?)
    func touch(_ response: StoredResponse)
    var maximumLength: Int { get }
    func writer() -> any ContentWriter
    /// Does nothing if `response` is no longer stored.
    func apply(_ change: StoreChange, to response: StoredResponse)
    /// Removes the stored responses for the given normalized URLs (``CacheKey/url``), in all partitions.
    func remove(urls: [String])
    func removeAll()
}

enum StoreChange: Sendable {
    case remove
    case update(StoredResponse)
}

/// Writes the content of one response, and then stores the response; used by one thread at a time.
protocol ContentWriter: Sendable {
    /// Adds content, unless the response can't be stored, for example because it is too long.
    func append(_ chunks: [Data])
    /// Replaces the stored responses that match `request`, or removes them if the response can't be stored. Calls
    /// `isCurrent` exactly once, immediately before look-ups can find the response; it returns `false` if the URL was
    /// invalidated meanwhile.
    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool)
    func abandon()
}
