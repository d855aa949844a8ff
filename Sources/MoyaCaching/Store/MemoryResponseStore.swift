import Foundation
import MoyaHTTP

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
