import Synchronization

// The responses of a cache in memory, in the order of their last uses; locked by ``MemoryResponseStore``. Above
// `limit` bytes, the least recently used ones are removed until a tenth of the limit is free.
struct LRUResponseTable: Sendable {
    let limit: Int
    var statistics = HTTPCache.Statistics()
    /// The responses for each normalized URL, in all partitions (``CacheKey/partition``).
    private var responses: [String: [StoredResponse]] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    func candidates(for key: CacheKey) -> [StoredResponse] {
        guard let all = responses[key.url] else { return [] }
        // All responses in `all` have the URL of the key, so it is enough to compare the partitions.
        return all.allSatisfy { $0.key.partition == key.partition } ? all : all.filter { $0.key == key }
    }

    mutating func touch(_ response: StoredResponse) {
        clock += 1
        response.lastUse.store(clock, ordering: .relaxed)
    }

    mutating func add(_ response: StoredResponse) {
        guard response.size <= limit else { return }
        touch(response)
        responses[response.key.url, default: []].append(response)
        statistics.bytes += response.size
        statistics.responses += 1
        if statistics.bytes > limit { evict(keeping: response.id) }
    }

    /// Returns whether there was a response to remove.
    @discardableResult
    mutating func remove(_ url: String, where isRemoved: (StoredResponse) -> Bool = { _ in true }) -> Bool {
        guard var list = responses[url] else { return false }
        let removed = list.filter(isRemoved)
        list.removeAll(where: isRemoved)
        responses[url] = list.isEmpty ? nil : list
        statistics.bytes -= removed.reduce(0) { $0 + $1.size }
        statistics.responses -= removed.count
        return !removed.isEmpty
    }

    mutating func removeAll() {
        responses = [:]
        (statistics.responses, statistics.bytes) = (0, 0)
    }

    private mutating func evict(keeping id: UInt64) {
        let byUse = responses.values.joined().map { ($0.lastUse.load(ordering: .relaxed), $0) }.sorted { $0.0 < $1.0 }
        var bytes = statistics.bytes
        // There may be many responses for one URL.
        var evicted: [String: Set<UInt64>] = [:]
        for (_, response) in byUse where response.id != id && bytes > limit / 10 * 9 {
            bytes -= response.size
            evicted[response.key.url, default: []].insert(response.id)
        }
        for (url, ids) in evicted { remove(url) { ids.contains($0.id) } }
    }
}
