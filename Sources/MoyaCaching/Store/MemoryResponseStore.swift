import Foundation
import MoyaHTTP

/// Stores responses in memory; its functions take effect before they return.
final class MemoryResponseStore: ResponseStore {
    private let limit: Int
    private let table: Locked<LRUResponseTable>

    init(limit: Int) {
        self.limit = limit
        table = Locked(LRUResponseTable(limit: limit))
    }

    var statistics: HTTPCache.Statistics { table.withLock { $0.statistics } }

    func storedResponses(for key: CacheKey) -> [StoredResponse]? { table.withLock { $0.candidates(for: key) } }

    func lookUp(_ key: CacheKey, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void) {
        receive(storedResponses(for: key) ?? [])
    }

    func touch(_ response: StoredResponse) {
        table.withLock { $0.touch(response) }
    }

    func writer(length: Int?) -> (any ContentWriter)? {
        (length ?? 0) <= limit ? MemoryContentWriter(self, limit: limit) : nil
    }

    /// The closure runs under the lock, so that no removal can run between the closure and the addition.
    fileprivate func add(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: () -> Bool) {
        table.withLock { table in
            guard isCurrent() else { return }
            table.add(response) { $0.matches(request) }
            if response.size <= limit { table.statistics.writes += 1 }
        }
    }

    func update(_ response: StoredResponse, to next: StoredResponse) {
        table.withLock { $0.update(response.id, to: next) }
    }

    func remove(_ response: StoredResponse) {
        table.withLock { $0.remove(response.key.url) { $0.id == response.id } }
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
        let chunks = chunks.withLock { exchange(&$0, with: []) }
        var content = Data(capacity: chunks.reduce(0) { $0 + $1.count })
        for chunk in chunks { content.append(chunk) }
        store.add(response.with(StoredContent(content)), for: request, if: isCurrent)
    }

    func abandon() {
        chunks.withLock { $0 = [] }
    }
}
