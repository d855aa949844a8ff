import Foundation

/// The stored responses of a cache in memory, with the order of their last uses.
///
/// ``MemoryResponseStore`` protects this value with a lock. A look-up takes time in proportion to the number of responses for
/// the URL. If an addition exceeds the limit, the least recently used responses are removed until a tenth of the limit is
/// free.
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

    /// Removes the responses with the same key for which `isReplaced` returns `true`, then adds a response.
    ///
    /// A response larger than the limit is not added.
    mutating func add(_ response: StoredResponse, replacing isReplaced: (StoredResponse) -> Bool) {
        remove(response.key.url) { $0.key == response.key && isReplaced($0) }
        guard response.size <= limit else { return }
        clock += 1
        slots[response.key.url, default: []].append(Slot(response: response, lastUse: clock))
        bytes += response.size
        count += 1
        if bytes > limit { evict(keeping: response.id) }
    }

    /// Replaces the version of a response that has an ID by the next version, if that ID is still stored.
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

/// Stores responses in memory; its functions take effect before they return.
final class MemoryResponseStore: ResponseStore {
    private struct State: Sendable {
        var store: MemoryStore
        var writes = 0
    }

    private let limit: Int
    private let state: Locked<State>

    init(limit: Int) {
        self.limit = limit
        state = Locked(State(store: MemoryStore(limit: limit)))
    }

    var isOnDisk: Bool { false }

    var usage: StoreUsage {
        state.withLock { StoreUsage(responses: $0.store.count, bytes: $0.store.bytes, writes: $0.writes) }
    }

    func lookUp(_ key: CacheKey, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void) {
        receive(state.withLock { $0.store.candidates(for: key) })
    }

    func touch(_ response: StoredResponse) {
        state.withLock { $0.store.touch(response) }
    }

    func writer(length: Int?) -> (any ContentWriter)? {
        (length ?? 0) <= limit ? MemoryWriter(self, limit: limit) : nil
    }

    /// Adds a response if `isCurrent` returns `true`.
    ///
    /// The closure runs under the lock, so that no removal can take effect between its call and the addition.
    fileprivate func add(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: () -> Bool) {
        state.withLock { state in
            guard isCurrent() else { return }
            state.store.add(response) { $0.matches(request) }
            if response.size <= limit { state.writes += 1 }
        }
    }

    func update(_ response: StoredResponse, to next: StoredResponse) {
        state.withLock { $0.store.update(response.id, to: next) }
    }

    func remove(_ response: StoredResponse) {
        state.withLock { $0.store.remove(response.key.url) { $0.id == response.id } }
    }

    func remove(urls: [String]) {
        state.withLock { state in
            for url in urls { state.store.remove(url) }
        }
    }

    func removeAll() {
        state.withLock { $0.store.removeAll() }
    }
}

/// Collects the content of one response in memory.
private final class MemoryWriter: ContentWriter {
    private let store: MemoryResponseStore
    private let limit: Int
    private let chunks = Locked<[Data]>([])

    init(_ store: MemoryResponseStore, limit: Int) {
        self.store = store
        self.limit = limit
    }

    func append(_ chunks: [Data]) -> Bool {
        self.chunks.withLock { all in
            all += chunks
            return all.reduce(0) { $0 + $1.count } <= limit
        }
    }

    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool) {
        let chunks = takeChunks()
        var content = Data(capacity: chunks.reduce(0) { $0 + $1.count })
        for chunk in chunks { content.append(chunk) }
        var response = response
        response.content = StoredContent(content)
        store.add(response, for: request, if: isCurrent)
    }

    func abandon() {
        _ = takeChunks()
    }

    private func takeChunks() -> [Data] {
        chunks.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
