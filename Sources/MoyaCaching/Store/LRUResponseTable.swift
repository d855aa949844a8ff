import Synchronization

// The responses of a cache in memory, in the order of their last uses; locked by ``MemoryResponseStore``. Above
// `limit` bytes, the least recently used ones are removed until a tenth of the limit is free.
struct LRUResponseTable: Sendable {
    let limit: Int
    var statistics = HTTPCache.Statistics()
    /// The responses by their normalized URLs and partitions (``CacheKey``): any number of users may have stored a URL.
    private var responses: [String: [String?: [StoredResponse]]] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    func candidates(for key: CacheKey) -> [StoredResponse] { responses[key.url]?[key.partition] ?? [] }

    mutating func touch(_ response: StoredResponse) {
        clock += 1
        response.lastUse.store(clock, ordering: .relaxed)
    }

    mutating func add(_ response: StoredResponse) {
        guard response.size <= limit else { return }
        touch(response)
        responses[response.key.url, default: [:]][response.key.partition, default: []].append(response)
        statistics.bytes += response.size
        statistics.responses += 1
        if statistics.bytes > limit { evict(keeping: response.id) }
    }

    /// Removes the responses with the given IDs; returns whether there was one.
    @discardableResult
    mutating func remove(_ ids: Set<UInt64>, of key: CacheKey) -> Bool {
        guard var partitions = responses.removeValue(forKey: key.url) else { return false }
        let former = partitions[key.partition] ?? []
        let kept = former.filter { !ids.contains($0.id) }
        partitions[key.partition] = kept.isEmpty ? nil : kept
        if !partitions.isEmpty { responses[key.url] = partitions }
        uncount(former.filter { ids.contains($0.id) })
        return kept.count < former.count
    }

    mutating func remove(_ url: String) {
        uncount((responses.removeValue(forKey: url) ?? [:]).values.flatMap(\.self))
    }

    private mutating func uncount(_ removed: [StoredResponse]) {
        statistics.bytes -= removed.reduce(0) { $0 + $1.size }
        statistics.responses -= removed.count
    }

    mutating func removeAll() {
        responses = [:]
        (statistics.responses, statistics.bytes) = (0, 0)
    }

    private mutating func evict(keeping id: UInt64) {
        let byUse = responses.values.flatMap { $0.values.joined() }
            .map { ($0.lastUse.load(ordering: .relaxed), $0) }.sorted { $0.0 < $1.0 }
        var bytes = statistics.bytes
        // There may be many responses for one URL.
        var evicted: [CacheKey: Set<UInt64>] = [:]
        for (_, response) in byUse where response.id != id && bytes > limit / 10 * 9 {
            bytes -= response.size
            evicted[response.key, default: []].insert(response.id)
        }
        for (key, ids) in evicted { remove(ids, of: key) }
    }
}
