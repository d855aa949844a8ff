import Foundation
import MoyaHTTP

/// Stores responses in a directory that several processes may use at the same time.
///
/// Metadata is renamed into place last, which makes a response visible: a crash leaves the former response, the new
/// one, or neither. Another process may remove content at any time.
///
/// Writes aren't synced: lengths and checksums reveal what a power loss has damaged. Removals are synced, because the
/// server or the user wants the response not to be used again.
final class DiskResponseStore: ResponseStore {
    struct State: Sendable {
        var statistics = HTTPCache.Statistics()
        var backlog = 0
        /// The bytes reserved since the last listing of the directory; ``release(_:)`` does not reduce them.
        var unlisted = 0
        var isMaintained = false
        /// The normalized URLs whose responses could not be removed; a look-up of such a URL repeats the removal.
        var unremoved: Set<String> = []
        /// Whether ``removeAll()`` has failed; the next look-up removes all responses first.
        var hasFailedRemoveAll = false
    }

    /// The maximum number of bytes that wait to be written; a response that would exceed this number is not stored.
    static let maximumBacklog = 4 << 20

    /// The maximum length of content that a look-up reads into memory, in bytes.
    private static let shortContent = 64 << 10

    let layout: DiskLayout
    let limit: Int
    /// Half of the limit, because another process may be writing as much.
    var maximumLength: Int { limit / 2 }
    let files: any FileSystem
    let queue: DiskQueue
    let maintenance: DiskQueue
    let state = Locked(State())
    /// Held while the directory is listed and responses are evicted.
    let evictions = Locked(())

    /// `scheduler` runs look-ups, writes and removals, `maintenance` runs evictions; both one at a time.
    init(
        directory: String, limit: Int, files: any FileSystem = LocalFileSystem(),
        scheduler: any Scheduler = .serial(label: "moya.cache"),
        maintenance: any Scheduler = .serial(label: "moya.cache.maintenance")
    ) throws(FileError) {
        layout = DiskLayout(root: directory)
        // Half of the largest number, because the files may exceed the limit until responses are evicted.
        self.limit = min(max(0, limit), .max / 2)
        self.files = files
        queue = DiskQueue(on: scheduler) { $0() }
        self.maintenance = DiskQueue(on: maintenance) { $0() }
        try createRoot()
        queue.post { [self] in removeOtherVersions() }
        maintain()
    }

    /// A full, read-only or failing disk is not an error, because it may become writable later.
    private func createRoot() throws(FileError) {
        // The dot makes `status(of:)` follow a symbolic link.
        let path = "\(layout.root)/."
        if (try? files.status(of: path))?.isDirectory == true { return }
        do throws(FileError) {
            try files.createDirectories(layout.root)
            _ = try files.status(of: path)
        } catch {
            let isTransient = [POSIXErrorCode.ENOSPC, .EDQUOT, .EROFS, .EIO].contains { $0.rawValue == error.code }
            if !isTransient { throw error }
        }
    }

    var statistics: HTTPCache.Statistics { state.withLock { $0.statistics } }

    func storedResponses(for keys: RequestCacheKeys) -> [StoredResponse]? { nil }

    func lookUp(
        _ keys: RequestCacheKeys, for request: HTTPHeaders, _ receive: @escaping @Sendable ([StoredResponse]) -> Void
    ) {
        queue.post { [self] in receive(keys.responses { candidates(for: $0, request) }) }
    }

    func revise(
        _ keys: RequestCacheKeys, for request: HTTPHeaders,
        _ change: @escaping @Sendable (StoredResponse) -> StoreChange?
    ) {
        queue.post { [self] in
            for stored in keys.responses({ candidates(for: $0, request) }) where stored.matches(request) {
                if let diskFiles = stored.diskFiles, let change = change(stored) { perform(change, stored, diskFiles) }
            }
        }
    }

    func touch(_ response: StoredResponse) {
        guard let diskFiles = response.diskFiles, diskFiles.status.age > 60 else { return }
        queue.post { [self] in try? files.touch(diskFiles.metadataPath) }
    }

    func writer() -> any ContentWriter { DiskContentWriter(self) }

    func apply(_ change: StoreChange, to response: StoredResponse) {
        guard let diskFiles = response.diskFiles else { return }
        queue.post { [self] in perform(change, response, diskFiles) }
    }

    private func perform(_ change: StoreChange, _ response: StoredResponse, _ diskFiles: ResponseFiles) {
        switch change {
        case .update(let next):
            guard entry(diskFiles.metadataPath)?.response.id == response.id else { return }
            let metadata = StoredMetadata.encoded(next, diskFiles.content)
            guard metadata.count <= StoredMetadata.maximumLength else {
                remove(diskFiles.metadataPath)
                return
            }
            try? write(metadata, to: diskFiles.metadataPath)
        case .remove:
            if !remove(diskFiles.metadataPath, ifID: response.id) { removeLater(response.key.url) }
            let directory = layout.entries(of: response.key)
            let isEmpty = (try? files.removeDirectory(directory)) != nil
            try? files.sync(isEmpty ? layout.partitions(of: response.key.url).parent : directory)
        }
    }

    func remove(urls: [String]) {
        queue.post { [self] in
            for url in urls where !removeEntries(of: url) { removeLater(url) }
        }
    }

    /// Removes all responses: renames their directories, so that no response is found, and later removes the files.
    func removeAll() {
        queue.post { [self] in
            let isDone = discard(layout.index)
            _ = discard(layout.content)
            try? files.sync(layout.version)
            state.withLock { state in
                state.hasFailedRemoveAll = !isDone
                state.unremoved = []
                state.statistics.responses = 0
                state.statistics.bytes = 0
            }
        }
    }
}

extension DiskResponseStore {
    typealias Entry = (response: StoredResponse, files: ResponseFiles)

    /// `nil` if there is none or if it was damaged; a damaged file is removed.
    func entry(_ path: String) -> Entry? {
        guard let file = try? files.openFile(path, .reading), let status = try? file.status(), status.isRegular else {
            return nil
        }
        if status.size <= StoredMetadata.maximumLength {
            guard let data = try? file.read(at: 0, count: status.size) else { return nil }
            if let (response, content) = try? StoredMetadata.decoded(data) {
                return (response, ResponseFiles(metadataPath: path, content: content, status: status))
            }
        }
        try? files.removeFile(path)
        return nil
    }

    private func candidates(for key: CacheKey, _ request: HTTPHeaders) -> [StoredResponse] {
        removeUnremoved(key.url) ? paths(of: key).compactMap { candidate($0, key, request) } : []
    }

    func paths(of key: CacheKey) -> [String] {
        let directory = layout.entries(of: key)
        let names = (try? files.names(in: directory)) ?? []
        return names.filter(DiskLayout.isVariant).map { "\(directory)/\($0)" }
    }

    private func candidate(_ path: String, _ key: CacheKey, _ request: HTTPHeaders) -> StoredResponse? {
        // If another process replaces the response between the reads of metadata and content, both are read again.
        for _ in 0..<8 {
            guard let (response, files) = entry(path), response.key == key else { return nil }
            guard response.matches(request) else { return response }
            do throws(FileError) {
                if let content = try storedContent(files.content) {
                    return StoredResponse(response, content: content, diskFiles: files)
                }
            } catch {
                guard error.isMissing else { return nil }
            }
            remove(path, ifID: response.id)
        }
        return nil
    }

    // Reads short content. `nil` if the file's length isn't that of the metadata, or if short content was damaged.
    private func storedContent(_ content: ContentFile) throws(FileError) -> StoredContent? {
        let file = try files.openFile(layout.contentFile(content.name), .reading)
        let status = try file.status()
        guard status.isRegular, status.size == content.length else { return nil }
        guard content.length <= Self.shortContent else {
            return StoredContent(OpenContentFile(file, content, queue: queue))
        }
        let data = try file.read(at: 0, count: content.length)
        return data.count == content.length && content.verify(data, from: 0) ? StoredContent(data) : nil
    }

    // Removes metadata and content; `false` if that failed. A missing or replaced response is not a failure.
    @discardableResult
    func remove(_ path: String, ifID id: UInt64? = nil) -> Bool {
        let entry = entry(path)
        if let id, let found = entry?.response.id, found != id { return true }
        guard isGone(path) else { return false }
        if let entry { removeContent(entry) }
        return true
    }

    /// Removes a file; `false` if it is still there.
    func isGone(_ path: String) -> Bool {
        do throws(FileError) { try files.removeFile(path) } catch {
            // A directory at this path is not a response, so there is nothing to remove.
            return error.isMissing || error.code == POSIXErrorCode.EISDIR.rawValue
        }
        return true
    }

    func removeContent(_ entry: Entry) {
        try? files.removeFile(layout.contentFile(entry.files.content.name))
        state.withLock { state in
            state.statistics.responses = max(0, state.statistics.responses - 1)
            state.statistics.bytes = max(0, state.statistics.bytes - entry.files.size)
        }
    }

    private func removeEntries(of url: String) -> Bool {
        let (parent, prefix) = layout.partitions(of: url)
        var isDone = true
        do throws(FileError) {
            let directories = try names(in: parent).filter { $0.hasPrefix(prefix) }.map { "\(parent)/\($0)" }
            for directory in directories {
                guard let names = try? names(in: directory) else {
                    isDone = false
                    continue
                }
                for name in names where DiskLayout.isVariant(name) && !remove("\(directory)/\(name)") { isDone = false }
                // Another program may have put files there.
                if (try? files.removeDirectory(directory)) == nil { try? files.sync(directory) }
            }
            if !directories.isEmpty { try? files.sync(parent) }
        } catch {
            return false
        }
        return isDone
    }

    private func names(in directory: String) throws(FileError) -> [String] {
        do throws(FileError) { return try files.names(in: directory) } catch {
            if error.isMissing { return [] }
            throw error
        }
    }

    func removeLater(_ url: String) {
        state.withLock { _ = $0.unremoved.insert(url) }
    }

    private func removeUnremoved(_ url: String) -> Bool {
        let (isUnremoved, hasFailedRemoveAll) = state.withLock { ($0.unremoved.contains(url), $0.hasFailedRemoveAll) }
        if hasFailedRemoveAll {
            guard discard(layout.index) else { return false }
            state.withLock { $0.hasFailedRemoveAll = false }
        }
        if isUnremoved {
            guard removeEntries(of: url) else { return false }
            state.withLock { _ = $0.unremoved.remove(url) }
        }
        return true
    }

    func write(_ data: Data, to path: String) throws(FileError) {
        let temporary = layout.temporaryFile()
        do throws(FileError) {
            try createFile(temporary).append(data)
            try files.withDirectory(of: path) { () throws(FileError) in try files.move(temporary, to: path) }
        } catch {
            try? files.removeFile(temporary)
            throw error
        }
    }

    func createFile(_ path: String) throws(FileError) -> any OpenFile {
        try files.withDirectory(of: path) { () throws(FileError) in try files.openFile(path, .creating) }
    }

    /// Renames a directory and removes it in the background; `false` if renaming failed, unless it is missing.
    @discardableResult
    private func discard(_ directory: String) -> Bool {
        let temporary = layout.temporaryFile()
        do throws(FileError) {
            _ = try files.status(of: directory)
            try files.withDirectory(of: temporary) { () throws(FileError) in try files.move(directory, to: temporary) }
        } catch {
            return error.isMissing && (try? files.status(of: directory)) == nil
        }
        maintenance.post { [files] in files.removeTree(temporary) }
        return true
    }

    private func removeOtherVersions() {
        for name in (try? files.names(in: layout.root)) ?? []
        where name.hasPrefix("v") && name.dropFirst().isDigits && name != DiskLayout.versionName {
            let directory = "\(layout.root)/\(name)"
            // Another directory may belong to another program, so it is not removed.
            func status(_ name: String) -> FileStatus? { try? files.status(of: "\(directory)/\(name)") }
            let hasResponses = ["index", "content"].allSatisfy { status($0)?.isDirectory == true }
            guard hasResponses || status("tmp")?.isDirectory == true && status("salt")?.isRegular == true else {
                continue
            }
            discard(directory)
        }
    }
}
