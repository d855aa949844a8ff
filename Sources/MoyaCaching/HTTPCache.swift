public import Foundation
public import MoyaHTTP

/// A private cache of responses, in memory or on disk (RFC 9111).
///
/// A cache may be shared by several transports and used from any thread. If the stored responses exceed the size
/// limit, the least recently used responses are removed.
///
/// ```swift
/// let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
/// let cache = try HTTPCache(directory: caches.appending(path: "responses"))
/// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().caching(in: cache))
/// ```
public final class HTTPCache: Sendable {
    /// The size of a cache, and how often requests have used it.
    ///
    /// If ``hits`` and ``validations`` stay 0, the cache has no effect.
    public struct Statistics: Sendable, Hashable, CustomStringConvertible {
        /// The number of stored responses.
        ///
        /// On disk, changes by other processes are counted only when the cache lists its directory again.
        public internal(set) var responses = 0
        /// The size of the stored responses in bytes; for a cache in memory, the size is an estimate.
        public internal(set) var bytes = 0
        /// The number of requests that were satisfied without the server.
        public internal(set) var hits = 0
        /// The number of requests that were forwarded and then satisfied by a stored response, because the server has
        /// confirmed it, or because it has replaced an error.
        public internal(set) var validations = 0
        /// The number of requests that were sent to the server, including validations in the background.
        public internal(set) var forwards = 0
        /// How often this cache has stored a response, including responses that it has since removed.
        public internal(set) var writes = 0
        /// The number of responses that this cache could not store, because the disk failed, was too slow or was full.
        public internal(set) var failedWrites = 0

        /// All values, such as `0 hits, 0 validations, 12 forwards; 0 responses of 0 bytes; 0 writes, 12 failed`.
        public var description: String {
            "\(hits) hits, \(validations) validations, \(forwards) forwards; \(responses) responses of \(bytes) bytes; "
                + "\(writes) writes, \(failedWrites) failed"
        }
    }

    private struct State: Sendable {
        var statistics = Statistics()
        // The IDs of requests whose responses may be stored, by normalized URL. Invalidating a URL removes its IDs.
        var writes: [String: Set<UInt64>] = [:]
        /// The exchanges that validate stored responses in the background, by the IDs of the responses.
        var revalidations: [UInt64: any TransportExchange] = [:]
    }

    private let state = Locked(State())
    let store: any ResponseStore
    private let salt: [UInt8]
    /// The hashes of some partitions that were used before.
    private let partitions = Locked<[String: String]>([:])

    private static let maximumPartitions = 16

    init(store: any ResponseStore, salt: [UInt8] = []) {
        self.store = store
        self.salt = salt
    }

    /// Creates an empty cache in memory.
    ///
    /// - Parameter maximumSize: the maximum total size of the responses, in bytes. Defaults to 32 MiB. A response that
    ///   is larger is not stored.
    public convenience init(maximumSize: Int = 32 << 20) {
        self.init(store: MemoryResponseStore(limit: max(0, maximumSize)), salt: PartitionSalt.random())
    }

    /// Creates a cache on disk, with the responses that are stored in its directory.
    ///
    /// Several caches and processes may use one directory at the same time, and a process may end at any time. Files
    /// are read and written on a queue of the cache, never on the thread of a transport. Missing or damaged files, and
    /// a full or read-only disk, are not errors: the affected responses are not found or not stored, see
    /// ``Statistics/failedWrites``. <doc:CachingResponses> describes what a crash, a power loss and a slow disk do.
    ///
    /// Only the user of the process can read the files (mode 0600), which contain URLs, header fields of responses and
    /// content in plain text, but credentials only as hashes.
    ///
    /// - Parameters:
    ///   - directory: the directory of the cache. If the directory is missing, the initializer creates it and its
    ///     parents, and blocks until they exist. Other files in the directory are not changed.
    ///   - maximumSize: the maximum size of all files together, in bytes. The files of one or two processes may
    ///     exceed it by up to a tenth until responses are evicted. Defaults to 256 MiB. A response of more
    ///     than half of this size is not stored.
    /// - Throws: `TransportError.unavailable(_:)` if the URL is not a file URL, if there is a file instead of a
    ///   directory, or if the directory does not exist and this process is not allowed to create it.
    public convenience init(directory: URL, maximumSize: Int = 256 << 20) throws(TransportError) {
        guard directory.isFileURL else {
            throw .unavailable(CacheDirectoryError(reason: "\(directory.absoluteString) is not local. Use a file URL."))
        }
        do throws(FileError) {
            let path = directory.path(percentEncoded: false)
            let store = try DiskResponseStore(directory: path, limit: maximumSize)
            self.init(store: store, salt: PartitionSalt.load(store.layout))
        } catch {
            throw .unavailable(
                CacheDirectoryError(
                    reason: "\(error.localizedDescription). Use a directory that this process can create."))
        }
    }

    /// The current size of the cache, and how often requests have used it.
    public var statistics: Statistics {
        let uses = state.withLock { $0.statistics }
        var statistics = store.statistics
        (statistics.hits, statistics.validations, statistics.forwards) = (uses.hits, uses.validations, uses.forwards)
        return statistics
    }

    /// Removes all stored responses.
    ///
    /// Responses that are being received are not stored, and validations in the background are cancelled. Files are
    /// removed in the background.
    public func removeAll() {
        let revalidations = state.withLock { state in
            state.writes = [:]
            return state.revalidations.values.map(\.self)
        }
        for exchange in revalidations { exchange.cancel() }
        store.removeAll()
    }

    /// Removes the stored responses for a URL from all partitions (``CachingPolicy/partition``).
    public func remove(_ url: URL) {
        invalidate([CacheKey.normalized(url)])
    }
}

extension HTTPCache {
    func keys(for request: TransportRequest, _ policy: CachingPolicy) -> RequestCacheKeys {
        let url = CacheKey.normalized(request.url)
        if let partition = policy.partition {
            let own = self.partition(partition(request), request.url)
            return RequestCacheKeys(own: CacheKey(url: url, partition: own), shared: nil)
        }
        let (authorization, others) = policy.credentials.credentials(in: request.headers)
        let shared = CacheKey(url: url, partition: partition(others, request.url))
        guard let authorization else { return RequestCacheKeys(own: shared, shared: nil) }
        let own = partition("authorization:\(authorization)\(others ?? "")", request.url)
        return RequestCacheKeys(own: CacheKey(url: url, partition: own), shared: shared)
    }

    /// Returns the salted hash of a text and of the user and password in a URL; `nil` if there is neither.
    private func partition(_ text: String?, _ url: URL) -> String? {
        var text = text
        if url.absoluteString.utf8.contains(UInt8(ascii: "@")), let user = url.user(percentEncoded: true) {
            text = "\(text ?? "")\nuser:\(user):\(url.password(percentEncoded: true) ?? "")"
        }
        guard let text else { return nil }
        if let hash = partitions.withLock({ $0[text] }) { return hash }
        let hash = MessageDigest.sha256(salt + Array(text.utf8)).hexadecimal
        partitions.withLock { partitions in
            if partitions.count >= Self.maximumPartitions { partitions = [:] }
            partitions[text] = hash
        }
        return hash
    }

    func count(of response: StoredResponse? = nil, _ add: (inout Statistics) -> Void) {
        state.withLock { add(&$0.statistics) }
        if let response { store.touch(response) }
    }

    /// Registers a request whose response may be stored; returns an ID for ``endWrite(_:of:)``.
    func beginWrite(of key: CacheKey) -> UInt64 {
        let id = UInt64.random(in: .min ... .max)
        state.withLock { _ = $0.writes[key.url, default: []].insert(id) }
        return id
    }

    /// Ends the registration; `false` if the URL was invalidated meanwhile: the response must not be stored (RFC 9111,
    /// section 4.4).
    func endWrite(_ id: UInt64, of key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.writes[key.url]?.remove(id) != nil else { return false }
            if state.writes[key.url]?.isEmpty == true { state.writes[key.url] = nil }
            return true
        }
    }

    /// Removes the responses for normalized URLs from all partitions, and doesn't store those being received.
    func invalidate(_ urls: [String]) {
        guard !urls.isEmpty else { return }
        state.withLock { state in
            for url in urls { state.writes[url] = nil }
        }
        store.remove(urls: urls)
    }

    /// Returns `false` if another exchange validates the response.
    func beginRevalidation(of response: StoredResponse, by exchange: any TransportExchange) -> Bool {
        state.withLock { state in
            guard state.revalidations[response.id] == nil else { return false }
            state.revalidations[response.id] = exchange
            return true
        }
    }

    func endRevalidation(of response: StoredResponse) {
        let ended = state.withLock { $0.revalidations.removeValue(forKey: response.id) }
        withExtendedLifetime(ended) {}
    }
}

struct CacheDirectoryError: LocalizedError {
    let reason: String

    var errorDescription: String? { "The cache was not created: \(reason)" }
    var recoverySuggestion: String? { reason.remedy }
}
