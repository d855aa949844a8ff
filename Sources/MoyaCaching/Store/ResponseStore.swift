import Foundation
import MoyaHTTP

/// Stores the responses of a cache.
///
/// Its functions return without waiting for a disk. They take effect in the order of the calls, on the calling thread
/// or on a queue of the store. None of them fails: a response that cannot be read is not found, and one that cannot be
/// written is not stored.
protocol ResponseStore: Sendable {
    var statistics: StoreStatistics { get }

    /// Returns the stored responses of a key immediately; `nil` if the store has to wait for a disk.
    func storedResponses(for key: CacheKey) -> [StoredResponse]?
    /// Calls `receive` once with the stored responses of a key.
    ///
    /// - Parameter request: the header fields of the request. Responses that do not match these fields
    ///   (`StoredResponse.matches(_:)`) may be returned, too, possibly without their content.
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
    /// Stores the response with the written content, in place of the stored responses that match `request`.
    ///
    /// - Parameter isCurrent: returns whether the response may be stored; `false` if the URL was invalidated meanwhile.
    ///   The store calls the closure exactly once, immediately before look-ups can find the response.
    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool)
    func abandon()
}

struct StoreStatistics: Sendable, Hashable {
    var responses = 0
    var bytes = 0
    var writes = 0
    var failedWrites = 0
}
