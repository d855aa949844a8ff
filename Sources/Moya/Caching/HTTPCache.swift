public import Foundation

/// Stores responses in memory for reuse: a private cache (RFC 9111).
///
/// A cache may be shared by several transports and used from any thread. When its limit is exceeded, it removes the
/// least recently used responses.
///
/// ```swift
/// let cache = HTTPCache(limit: 64 << 20)
/// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().caching(in: cache))
/// ```
public final class HTTPCache: Sendable {
    /// The size of a cache, and the number of its uses.
    public struct Statistics: Sendable, Hashable {
        /// The number of stored responses.
        public fileprivate(set) var responses = 0
        /// The estimated memory of the stored responses, in bytes.
        public fileprivate(set) var bytes = 0
        /// The number of requests that were satisfied without the server.
        public fileprivate(set) var hits = 0
        /// The number of requests that were satisfied by a stored response that the server confirmed or that replaced
        /// an error.
        public fileprivate(set) var validations = 0
        /// The number of requests that were forwarded, including those of background revalidation.
        public fileprivate(set) var forwards = 0
    }

    private struct State: Sendable {
        var store: MemoryStore
        var statistics = Statistics()
        var lastID: UInt64 = 0
        /// The IDs of the responses that are being received, by normalised URL; an invalidation removes them.
        var writes: [String: Set<UInt64>] = [:]
        /// The IDs of the stored responses that are being validated in the background.
        var revalidations: Set<UInt64> = []
    }

    private let state: Locked<State>

    /// Creates an empty cache in memory.
    ///
    /// - Parameter limit: the maximum size of all responses together, in bytes. Defaults to 32 MiB. A larger response
    ///   is not stored.
    public init(limit: Int = 32 << 20) {
        state = Locked(State(store: MemoryStore(limit: max(0, limit))))
    }

    /// The current size of the cache, and the number of its uses so far.
    public var statistics: Statistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.responses = state.store.count
            statistics.bytes = state.store.bytes
            return statistics
        }
    }

    /// Removes all responses; those that are being received are not stored.
    public func removeAll() {
        state.withLock { state in
            state.store.removeAll()
            state.writes = [:]
        }
    }

    /// Removes the responses for a URL, of all partitions and variants.
    public func remove(_ url: URL) {
        invalidate([CacheKey.normalised(url)])
    }
}

extension HTTPCache {
    /// The use of a cache by one request.
    enum Use {
        case hit, validation, forward
    }

    func candidates(for key: CacheKey) -> [StoredResponse] {
        state.withLock { $0.store.candidates(for: key) }
    }

    func count(_ use: Use, of response: StoredResponse? = nil) {
        state.withLock { state in
            switch use {
            case .hit: state.statistics.hits += 1
            case .validation: state.statistics.validations += 1
            case .forward: state.statistics.forwards += 1
            }
            if let response { state.store.touch(response) }
        }
    }

    /// Registers a request whose response may be stored; returns an ID of the registration.
    ///
    /// ``endWrite(_:of:storing:for:)`` ends the registration.
    func beginWrite(of key: CacheKey) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.writes[key.url, default: []].insert(state.lastID)
            return state.lastID
        }
    }

    /// Ends a registration and stores the response, if one is given, unless the URL was invalidated since the request
    /// was sent (RFC 9111, section 4.4).
    ///
    /// The response replaces those that its request would have been satisfied by.
    func endWrite(
        _ id: UInt64, of key: CacheKey, storing response: StoredResponse? = nil, for request: HTTPHeaders = [:]
    ) {
        state.withLock { state in
            guard state.writes[key.url]?.remove(id) != nil else { return }
            if state.writes[key.url]?.isEmpty == true { state.writes[key.url] = nil }
            if let response { state.store.add(response) { $0.matches(request) } }
        }
    }

    /// Updates the fields of a confirmed response, if it is still stored; returns the updated version.
    func update(
        _ response: StoredResponse, by head: ResponseHead, requestTime: Date, responseTime: Date
    ) -> StoredResponse {
        let headers = Validation.updated(response.headers, by: head.headers)
        return state.withLock { state in
            state.lastID += 1
            let updated = response.replacing(
                id: state.lastID, headers: headers, requestTime: requestTime, responseTime: responseTime)
            if updated.directives.noStore, !updated.directives.mustUnderstand {
                state.store.remove(response.key.url) { $0.id == response.id }
            } else {
                state.store.update(response.id, to: updated)
            }
            return updated
        }
    }

    func remove(_ response: StoredResponse) {
        state.withLock { $0.store.remove(response.key.url) { $0.id == response.id } }
    }

    /// Removes the responses for normalised URLs, of all partitions and variants, and those that are being received.
    func invalidate(_ urls: [String]) {
        guard !urls.isEmpty else { return }
        state.withLock { state in
            for url in urls {
                state.store.remove(url)
                state.writes[url] = nil
            }
        }
    }

    /// Registers a revalidation of the response; returns `false` if one is running already.
    func beginRevalidation(of response: StoredResponse) -> Bool {
        state.withLock { $0.revalidations.insert(response.id).inserted }
    }

    func endRevalidation(of response: StoredResponse) {
        state.withLock { _ = $0.revalidations.remove(response.id) }
    }
}
