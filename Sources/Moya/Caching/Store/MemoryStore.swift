/// The stored responses of a cache in memory, with the order of their last uses.
///
/// It has no lock: ``HTTPCache`` protects it. A look-up takes constant time for each response of the URL. An addition
/// that exceeds the limit removes the least recently used responses until a tenth of the limit is free.
struct MemoryStore: Sendable {
    private struct Slot: Sendable {
        var response: StoredResponse
        var lastUse: UInt64
    }

    let limit: Int
    private(set) var bytes = 0
    private(set) var count = 0
    /// The responses of all partitions, by normalised URL.
    private var slots: [String: [Slot]] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    func candidates(for key: CacheKey) -> [StoredResponse] {
        slots[key.url]?.filter { $0.response.key == key }.map(\.response) ?? []
    }

    /// Marks a response as used.
    mutating func touch(_ response: StoredResponse) {
        guard let index = slots[response.key.url]?.firstIndex(where: { $0.response.id == response.id }) else { return }
        clock += 1
        slots[response.key.url]?[index].lastUse = clock
    }

    /// Adds a response in place of those for which `isReplaced` returns `true`; a response larger than the limit is not
    /// added.
    mutating func add(_ response: StoredResponse, replacing isReplaced: (StoredResponse) -> Bool) {
        remove(response.key.url) { $0.key == response.key && isReplaced($0) }
        guard response.size <= limit else { return }
        clock += 1
        slots[response.key.url, default: []].append(Slot(response: response, lastUse: clock))
        bytes += response.size
        count += 1
        if bytes > limit { evict(keeping: response.id) }
    }

    /// Replaces a version of a response by the next one, if it is still stored.
    mutating func update(_ id: UInt64, to response: StoredResponse) {
        guard slots[response.key.url]?.contains(where: { $0.response.id == id }) == true else { return }
        add(response) { $0.id == id }
    }

    /// Removes the responses of a normalised URL for which `isRemoved` returns `true`.
    mutating func remove(_ url: String, where isRemoved: (StoredResponse) -> Bool = { _ in true }) {
        guard var list = slots[url] else { return }
        for slot in list where isRemoved(slot.response) {
            bytes -= slot.response.size
            count -= 1
        }
        list.removeAll { isRemoved($0.response) }
        slots[url] = list.isEmpty ? nil : list
    }

    mutating func removeAll() {
        slots = [:]
        bytes = 0
        count = 0
    }

    private mutating func evict(keeping id: UInt64) {
        let byUse = slots.values.joined().sorted { $0.lastUse < $1.lastUse }
        for slot in byUse where slot.response.id != id && bytes > limit / 10 * 9 {
            remove(slot.response.key.url) { $0.id == slot.response.id }
        }
    }
}
