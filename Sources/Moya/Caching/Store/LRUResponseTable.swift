/// The stored responses of a cache in memory, with the order of their last uses.
///
/// ``MemoryResponseStore`` protects this value with a lock. A look-up takes time in proportion to the number of responses for
/// the URL. If an addition exceeds the limit, the least recently used responses are removed until a tenth of the limit is
/// free.
struct LRUResponseTable: Sendable {
    private struct Entry: Sendable {
        var response: StoredResponse
        var lastUse: UInt64
    }

    let limit: Int
    private(set) var bytes = 0
    private(set) var count = 0
    /// The responses of all partitions, by normalised URL.
    private var entries: [String: [Entry]] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    func candidates(for key: CacheKey) -> [StoredResponse] {
        entries[key.url]?.filter { $0.response.key == key }.map(\.response) ?? []
    }

    /// Marks a response as used.
    mutating func touch(_ response: StoredResponse) {
        guard let index = entries[response.key.url]?.firstIndex(where: { $0.response.id == response.id }) else {
            return
        }
        clock += 1
        entries[response.key.url]?[index].lastUse = clock
    }

    /// Removes the responses with the same key for which `isReplaced` returns `true`, then adds a response.
    ///
    /// A response larger than the limit is not added.
    mutating func add(_ response: StoredResponse, replacing isReplaced: (StoredResponse) -> Bool) {
        remove(response.key.url) { $0.key == response.key && isReplaced($0) }
        guard response.size <= limit else { return }
        clock += 1
        entries[response.key.url, default: []].append(Entry(response: response, lastUse: clock))
        bytes += response.size
        count += 1
        if bytes > limit { evict(keeping: response.id) }
    }

    /// Replaces the version of a response that has an ID by the next version, if that ID is still stored.
    mutating func update(_ id: UInt64, to response: StoredResponse) {
        guard entries[response.key.url]?.contains(where: { $0.response.id == id }) == true else { return }
        add(response) { $0.id == id }
    }

    /// Removes the responses of a normalised URL for which `isRemoved` returns `true`.
    mutating func remove(_ url: String, where isRemoved: (StoredResponse) -> Bool = { _ in true }) {
        guard var list = entries[url] else { return }
        for entry in list where isRemoved(entry.response) {
            bytes -= entry.response.size
            count -= 1
        }
        list.removeAll { isRemoved($0.response) }
        entries[url] = list.isEmpty ? nil : list
    }

    mutating func removeAll() {
        entries = [:]
        bytes = 0
        count = 0
    }

    private mutating func evict(keeping id: UInt64) {
        let byUse = entries.values.joined().sorted { $0.lastUse < $1.lastUse }
        for entry in byUse where entry.response.id != id && bytes > limit / 10 * 9 {
            remove(entry.response.key.url) { $0.id == entry.response.id }
        }
    }
}
