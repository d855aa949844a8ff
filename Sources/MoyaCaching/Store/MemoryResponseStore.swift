import Foundation
import MoyaHTTP
import Synchronization

/// Stores responses in memory; its functions take effect before they return.
final class MemoryResponseStore: ResponseStore {
    let maximumLength: Int
    private let table: Locked<LRUResponseTable>

    init(limit: Int) {
        maximumLength = limit
        table = Locked(LRUResponseTable(limit: limit))
    }

    var statistics: HTTPCache.Statistics { table.withLock { $0.statistics } }

    func storedResponses(for keys: RequestCacheKeys) -> [StoredResponse]? {
        table.withLock { table in keys.responses { table.candidates(for: $0) } }
    }

    func lookUp(
        _ keys: RequestCacheKeys, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void
    ) {
        receive(storedResponses(for: keys) ?? [])
    }

    func revise(
        _ keys: RequestCacheKeys, for request: HTTPHeaders,
        _ change: @escaping @Sendable (StoredResponse) -> StoreChange?
    ) {
        for stored in (storedResponses(for: keys) ?? []).matching(request) {
            if let change = change(stored) { apply(change, to: stored) }
        }
    }

    func touch(_ response: StoredResponse) {
        table.withLock { $0.touch(response) }
    }

    func writer() -> any ContentWriter { MemoryContentWriter(self) }

    // The closure runs under the lock, so that no removal can run between the closure and the addition. Without
    // `content`, the response is not added, but those that it should have replaced are removed.
    fileprivate func add(
        _ response: StoredResponse, _ content: Data?, for request: HTTPHeaders, if isCurrent: () -> Bool
    ) {
        table.withLock { table in
            guard isCurrent() else { return }
            let former = table.candidates(for: response.key).matching(request)
            guard !former.contains(where: { $0.isNewer(than: response) }) else { return }
            table.remove(Set(former.map(\.id)), of: response.key)
            guard let content else { return }
            let response = StoredResponse(response, content: StoredContent(content))
            table.add(response)
            if response.size <= maximumLength { table.statistics.writes += 1 }
        }
    }

    func apply(_ change: StoreChange, to response: StoredResponse) {
        table.withLock { table in
            let isRemoved = table.remove([response.id], of: response.key)
            if isRemoved, case .update(let next) = change { table.add(next) }
        }
    }

    func remove(urls: [String]) {
        table.withLock { table in
            for url in urls { table.remove(url) }
        }
    }

    func removeAll() {
        table.withLock { $0.removeAll() }
    }
}

// The responses of a cache in memory. Above `limit` bytes, the least recently used ones are removed until a tenth of it
// is free.
private struct LRUResponseTable: Sendable {
    let limit: Int
    var statistics = HTTPCache.Statistics()
    /// The responses by their normalized URLs and partitions (``CacheKey``): any number of users may have stored a URL.
    var responses: [String: [String?: [StoredResponse]]] = [:]
    var clock: UInt64 = 0

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

private final class MemoryContentWriter: ContentWriter {
    private let store: MemoryResponseStore
    /// `nil` if the content is too long or was abandoned.
    private let content = Locked<(chunks: [Data], length: Int)?>(([], 0))

    init(_ store: MemoryResponseStore) {
        self.store = store
    }

    func append(_ chunks: [Data]) {
        let length = chunks.reduce(0) { $0 + $1.count }
        content.withLock { content in
            content?.chunks += chunks
            content?.length += length
            if let length = content?.length, length > store.maximumLength { content = nil }
        }
    }

    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool) {
        let content = content.withLock { exchange(&$0, with: nil) }.map { chunks, length in
            chunks.reduce(into: Data(capacity: length)) { $0.append($1) }
        }
        store.add(response, content, for: request, if: isCurrent)
    }

    func abandon() {
        content.withLock { $0 = nil }
    }
}
