import Foundation
import MoyaHTTP

/// Stores responses in memory; its functions take effect before they return.
final class MemoryResponseStore: ResponseStore {
    private struct State: Sendable {
        var table: LRUResponseTable
        var writes = 0
    }

    private let limit: Int
    private let state: Locked<State>

    init(limit: Int) {
        self.limit = limit
        state = Locked(State(table: LRUResponseTable(limit: limit)))
    }

    var statistics: StoreStatistics {
        state.withLock { StoreStatistics(responses: $0.table.count, bytes: $0.table.bytes, writes: $0.writes) }
    }

    func storedResponses(for key: CacheKey) -> [StoredResponse]? { candidates(for: key) }

    func lookUp(_ key: CacheKey, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void) {
        receive(candidates(for: key))
    }

    private func candidates(for key: CacheKey) -> [StoredResponse] {
        state.withLock { $0.table.candidates(for: key) }
    }

    func touch(_ response: StoredResponse) {
        state.withLock { $0.table.touch(response) }
    }

    func writer(length: Int?) -> (any ContentWriter)? {
        (length ?? 0) <= limit ? MemoryContentWriter(self, limit: limit) : nil
    }

    /// The closure runs under the lock, so that no removal can run between the closure and the addition.
    fileprivate func add(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: () -> Bool) {
        state.withLock { state in
            guard isCurrent() else { return }
            state.table.add(response) { $0.matches(request) }
            if response.size <= limit { state.writes += 1 }
        }
    }

    func update(_ response: StoredResponse, to next: StoredResponse) {
        state.withLock { $0.table.update(response.id, to: next) }
    }

    func remove(_ response: StoredResponse) {
        state.withLock { $0.table.remove(response.key.url) { $0.id == response.id } }
    }

    func remove(urls: [String]) {
        state.withLock { state in
            for url in urls { state.table.remove(url) }
        }
    }

    func removeAll() {
        state.withLock { $0.table.removeAll() }
    }
}

private final class MemoryContentWriter: ContentWriter {
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
