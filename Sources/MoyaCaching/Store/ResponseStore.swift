import Foundation
import MoyaHTTP

// Stores the responses of a cache without waiting for a disk, in the order of the calls, on the calling thread or on a
// queue. Nothing fails: a response that can't be read is not found, and one that can't be written is not stored.
protocol ResponseStore: Sendable {
    var statistics: HTTPCache.Statistics { get }

    /// Returns the stored responses of a key immediately; `nil` if the store has to wait for a disk.
    func storedResponses(for key: CacheKey) -> [StoredResponse]?
    /// Calls `receive` once. Responses that don't match `request` may be returned too, possibly without content.
    func lookUp(_ key: CacheKey, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void)
    func touch(_ response: StoredResponse)
    /// Returns a writer for the content of a response; `nil` if content of the given length cannot be stored.
    func writer(length: Int?) -> (any ContentWriter)?
    /// Replaces a stored response by its updated version `next`; does nothing if `response` is no longer stored.
    func update(_ response: StoredResponse, to next: StoredResponse)
    func remove(_ response: StoredResponse)
    /// Removes the stored responses for the given normalized URLs (``CacheKey/url``), in all partitions.
    func remove(urls: [String])
    func removeAll()
}

/// Writes the content of one response, and then stores the response; used by one thread at a time.
protocol ContentWriter: Sendable {
    /// Adds content; returns `false` if the response can no longer be stored, for example because it is too long.
    func append(_ chunks: [Data]) -> Bool
    /// Replaces the stored responses that match `request`. Calls `isCurrent` exactly once, immediately before look-ups
    /// can find the response; it returns `false` if the URL was invalidated meanwhile.
    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool)
    func abandon()
}
