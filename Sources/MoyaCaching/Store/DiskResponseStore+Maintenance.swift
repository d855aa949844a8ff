import Foundation
import MoyaHTTP

extension DiskResponseStore {
    /// The number of bytes above which responses are evicted: 95% of the limit.
    private var threshold: Int { limit - limit / 20 }

    /// Counts content that waits to be written; `false` if too much waits already.
    func enqueue(_ bytes: Int) -> Bool {
        state.withLock { state in
            // If nothing waits, a larger batch is accepted, because it is in memory already.
            guard state.backlog == 0 || state.backlog + bytes <= Self.maximumBacklog else { return false }
            state.backlog += bytes
            return true
        }
    }

    /// Reserves space on the queue; if there is too little, first evicts responses, and look-ups wait.
    func reserve(_ bytes: Int) -> Bool {
        if hasReserved(bytes) { return true }
        return evictions.withLock { _ in
            // Another thread may have evicted responses meanwhile.
            if hasReserved(bytes) { return true }
            evict(freeing: min(2 * bytes, limit))
            return hasReserved(bytes)
        }
    }

    // Until an eviction, the limit may be exceeded by 5%.
    private func hasReserved(_ bytes: Int) -> Bool {
        state.withLock { state in
            // Other processes may have written as much since the last listing.
            guard state.statistics.bytes + state.unlisted + 2 * bytes <= limit + limit / 20 else { return false }
            state.statistics.bytes += bytes
            state.unlisted += bytes
            return true
        }
    }

    func release(_ bytes: Int) {
        state.withLock { $0.statistics.bytes = max(0, $0.statistics.bytes - bytes) }
    }

    /// Also lists the directory after reserving 1/32 of the limit: only a listing counts other processes' files.
    func maintainIfNeeded() {
        if state.withLock({ $0.statistics.bytes > threshold || $0.unlisted > limit / 32 }) { maintain() }
    }

    /// Evicts above ``threshold`` in the background.
    func maintain() {
        guard !state.withLock({ exchange(&$0.isMaintained, with: true) }) else { return }
        maintenance.post { [self] in
            evictions.withLock { _ in evict(freeing: 0) }
            state.withLock { $0.isMaintained = false }
        }
    }

    /// Lists the directory, and evicts responses unless another process does.
    private func evict(freeing bytesToFree: Int) {
        try? files.openFile(layout.tag, .creating).append(DiskLayout.tagContent)
        let unlisted = state.withLock { $0.unlisted }
        let lock = try? files.openFile(layout.lock, .locking)
        let isOwner = lock?.tryLock() == true
        // A look-up waits for space on the queue, and the other process may free it.
        if !isOwner, bytesToFree > 0 { return }
        var listing = DiskMaintenance(self)
        if isOwner {
            listing.removeLeftovers(keepsNew: listing.bytes + bytesToFree <= threshold)
            if listing.bytes + bytesToFree > threshold { listing.evict(to: max(0, limit / 10 * 9 - bytesToFree)) }
        }
        state.withLock { state in
            // What was stored during the listing may be counted twice. The next listing corrects the sums.
            state.statistics.responses = max(0, state.statistics.responses + listing.entries.count - listing.counted)
            state.unlisted -= unlisted
            state.statistics.bytes = listing.bytes + state.unlisted
        }
        withExtendedLifetime(lock) {}
    }
}

private struct DiskMaintenance {
    typealias File = (path: String, status: FileStatus)

    /// The age in seconds up to which seemingly unused files are kept, because a process may still need them.
    private static let gracePeriod: TimeInterval = 3600

    private let store: DiskResponseStore
    private(set) var entries: [File] = []
    /// The number of responses in the statistics when the listing of `entries` began.
    private(set) var counted = 0
    private var contents: [File] = []
    private var temporary: [File] = []
    private(set) var bytes = 0
    /// Whether a directory could not be listed, so that `entries` and `contents` may be incomplete.
    private var hasFailedListing = false

    init(_ store: DiskResponseStore) {
        self.store = store
        let layout = store.layout
        temporary = files(layout.temporary)
        // Content first: otherwise, a response stored during the listing would look like content without metadata.
        contents = subdirectories(layout.content).flatMap { files($0) }.filter { $0.status.isRegular }
        counted = store.statistics.responses
        entries = subdirectories(layout.index).flatMap { subdirectories($0) }.flatMap { files($0) }.filter {
            $0.status.isRegular && DiskLayout.isVariant(($0.path as NSString).lastPathComponent)
        }
        bytes = (entries + contents + temporary).reduce(0) { $0 + ($1.status.isRegular ? $1.status.size : 0) }
    }

    private mutating func subdirectories(_ path: String) -> [String] {
        do throws(FileError) {
            // What a link refers to is not the store's.
            guard try store.files.status(of: path).isDirectory else { return [] }
            return try store.files.names(in: path).map { "\(path)/\($0)" }
        } catch {
            if !error.isMissing { hasFailedListing = true }
            return []
        }
    }

    private mutating func files(_ directory: String) -> [File] {
        subdirectories(directory).compactMap { path in
            (try? store.files.status(of: path)).map { (path, $0) }
        }
    }

    // Removes old temporary files, and content without metadata, which crashes or simultaneous replacements leave
    // behind. `keepsNew` keeps new content, whose metadata may still be written.
    mutating func removeLeftovers(keepsNew: Bool) {
        for file in temporary where file.status.isDirectory || file.status.age > Self.gracePeriod {
            store.files.removeTree(file.path)
            if file.status.isRegular { bytes -= file.status.size }
        }
        // Content may seem to be unused because its metadata was not listed.
        if hasFailedListing { return }
        // Each metadata file refers to one content file. With at least as many of them, all content is probably in use.
        if keepsNew, contents.count <= entries.count { return }
        let old = contents.filter { !keepsNew || $0.status.age > Self.gracePeriod }
        guard !old.isEmpty else { return }
        let used = Set(entries.compactMap { store.entry($0.path)?.files.content.name })
        for file in old where !used.contains((file.path as NSString).lastPathComponent) {
            if store.isGone(file.path) { bytes -= file.status.size }
        }
    }

    mutating func evict(to size: Int) {
        entries.sort { $0.status.modificationTime > $1.status.modificationTime }
        while bytes > size, let file = entries.popLast() {
            let entry = store.entry(file.path)
            guard store.isGone(file.path) else { continue }
            bytes -= file.status.size
            if let content = entry?.files.content, store.isGone(store.layout.contentFile(content.name)) {
                bytes -= content.length
            }
            try? store.files.removeDirectory((file.path as NSString).deletingLastPathComponent)
        }
    }
}
