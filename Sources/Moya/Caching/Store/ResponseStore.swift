import Foundation

/// Stores the responses of a cache.
///
/// Its functions return without waiting for a disk. They take effect in the order of the calls, on the calling thread or on a
/// queue of the store. None of them fails: what cannot be read is not stored, and what cannot be written is left out.
protocol ResponseStore: Sendable {
    var usage: StoreUsage { get }
    /// Whether look-ups, and reading stored content, may take as long as a disk does.
    var isOnDisk: Bool { get }

    /// Calls `receive` once with the stored responses of a key; those that do not match the request may be without content.
    func lookUp(_ key: CacheKey, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void)
    /// Marks a response as used.
    func touch(_ response: StoredResponse)
    /// Returns a writer for content; `nil` if content of the length cannot be stored.
    func writer(length: Int?) -> (any ContentWriter)?
    /// Replaces the version of a response by the next one, which has the same content, if it is still stored.
    func update(_ response: StoredResponse, to next: StoredResponse)
    func remove(_ response: StoredResponse)
    /// Removes the responses of normalised URLs, of all partitions and variants.
    func remove(urls: [String])
    func removeAll()
}

/// Writes the content of one response, and then the response; used by one thread at a time.
protocol ContentWriter: Sendable {
    /// Adds content; returns whether the response may still be stored.
    func append(_ chunks: [Data]) -> Bool
    /// Stores the response with the written content, in place of those that its request would have been satisfied by.
    ///
    /// - Parameter isCurrent: called once, immediately before the response can be found; if it returns `false`, the response is
    ///   not stored. An invalidation makes it return `false` before it removes responses from the store.
    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool)
    /// Discards the content.
    func abandon()
}

/// What a store contains and has done.
struct StoreUsage: Sendable, Hashable {
    var responses = 0
    var bytes = 0
    /// How many responses were written.
    var writes = 0
    /// How many responses could not be written.
    var failedWrites = 0
}
