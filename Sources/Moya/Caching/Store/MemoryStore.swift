import Foundation
import Synchronization

/// The stored responses of a cache in memory, and the least recently used order among them.
///
/// A value without a lock: ``MemoryResponseStore`` protects it. A look-up takes constant time for each response of the URL. An addition
/// that exceeds the limit removes the least recently used responses until a tenth of the limit is free.
struct MemoryStore: Sendable {
    let limit: Int
    private(set) var bytes = 0
    private(set) var count = 0
    /// The responses of all partitions, by normalised URL.
    private var responses: [String: [StoredResponse]] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    func candidates(for key: CacheKey) -> [StoredResponse] {
        guard let all = responses[key.url] else { return [] }
        return all.allSatisfy { $0.key == key } ? all : all.filter { $0.key == key }
    }

    /// Marks a response as used.
    mutating func touch(_ response: StoredResponse) {
        clock += 1
        response.lastUse.store(clock, ordering: .relaxed)
    }

    /// Adds a response in place of those for which `isReplaced` returns `true`; a response larger than the limit is not
    /// added.
    mutating func add(_ response: StoredResponse, replacing isReplaced: (StoredResponse) -> Bool) {
        remove(response.key.url) { $0.key == response.key && isReplaced($0) }
        guard response.size <= limit else { return }
        touch(response)
        responses[response.key.url, default: []].append(response)
        bytes += response.size
        count += 1
        if bytes > limit { evict(keeping: response.id) }
    }

    /// Replaces a version of a response by the next one, if it is still stored.
    mutating func update(_ id: UInt64, to response: StoredResponse) {
        guard responses[response.key.url]?.contains(where: { $0.id == id }) == true else { return }
        add(response) { $0.id == id }
    }

    /// Removes the responses of a normalised URL for which `isRemoved` returns `true`.
    mutating func remove(_ url: String, where isRemoved: (StoredResponse) -> Bool = { _ in true }) {
        guard var list = responses[url] else { return }
        for response in list where isRemoved(response) {
            bytes -= response.size
            count -= 1
        }
        list.removeAll(where: isRemoved)
        responses[url] = list.isEmpty ? nil : list
    }

    mutating func removeAll() {
        responses = [:]
        bytes = 0
        count = 0
    }

    private mutating func evict(keeping id: UInt64) {
        let byUse = responses.values.joined().map { ($0.lastUse.load(ordering: .relaxed), $0) }.sorted { $0.0 < $1.0 }
        for (_, response) in byUse where response.id != id && bytes > limit / 10 * 9 {
            remove(response.key.url) { $0.id == response.id }
        }
    }
}

/// A store in memory: its functions take effect before they return.
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

    /// Adds a response, if it is current.
    ///
    /// The closure runs under the lock, so that no removal comes between it and the addition.
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
        store.add(response.with(StoredContent(content)), for: request, if: isCurrent)
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
