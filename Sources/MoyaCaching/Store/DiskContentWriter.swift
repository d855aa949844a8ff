import Foundation
import MoyaHTTP

// Writes a response to disk while it's received, on the store's queue. The response isn't stored if too many bytes
// wait to be written, or if the disk fails.
final class DiskContentWriter: ContentWriter {
    private struct State: Sendable {
        var file: (any OpenFile)?
        var isAbandoned = false
    }

    private let store: DiskResponseStore
    private let path: String
    private let state = Locked(State())
    /// The length and the checksums of the content for which space is reserved; used on the queue of the store only.
    private let written = Locked(ChecksumCalculator())

    init(_ store: DiskResponseStore) {
        self.store = store
        path = store.layout.temporaryFile()
    }

    private var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    func append(_ chunks: [Data]) {
        guard !isAbandoned else { return }
        let length = chunks.reduce(0) { $0 + $1.count }
        guard store.enqueue(length) else { return fail() }
        store.queue.post { [self] in
            write(chunks, length)
            store.state.withLock { $0.backlog -= length }
        }
    }

    func commit(_ response: StoredResponse, for request: HTTPHeaders, if isCurrent: @escaping @Sendable () -> Bool) {
        store.queue.post { [self] in
            // `isCurrent` also calls `HTTPCache.endWrite(_:of:)`, so it must run even if this writer was abandoned.
            guard isCurrent() else { return abandon() }
            do throws(FileError) {
                if !isAbandoned { return try publish(response, request) }
            } catch {
                fail()
            }
            // The new response could not be stored, so remove the outdated ones that it should have replaced.
            for former in replaced(by: response, request)
            where !former.response.isNewer(than: response) && !store.remove(former.files.metadataPath) {
                store.removeLater(response.key.url)
            }
        }
    }

    func abandon() {
        state.withLock { $0.isAbandoned = true }
        store.queue.post { [self] in
            withExtendedLifetime(state.withLock { $0.file.take() }) {}
            try? store.files.removeFile(path)
            store.release(written.withLock { exchange(&$0, with: ChecksumCalculator()).length })
        }
    }

    private func fail() {
        let isFirst = !state.withLock { exchange(&$0.isAbandoned, with: true) }
        if isFirst { store.state.withLock { $0.statistics.failedWrites += 1 } }
        abandon()
    }

    private func write(_ chunks: [Data], _ length: Int) {
        guard !isAbandoned else { return }
        guard written.withLock({ $0.length }) + length <= store.maximumLength else { return abandon() }
        guard store.reserve(length) else { return fail() }
        do throws(FileError) {
            written.withLock { for chunk in chunks { $0.add(chunk) } }
            let file = try openFile()
            for chunk in chunks { try file.append(chunk) }
        } catch {
            fail()
        }
        store.maintainIfNeeded()
    }

    private func openFile() throws(FileError) -> any OpenFile {
        if let file = state.withLock({ $0.file }) { return file }
        let file = try store.createFile(path)
        state.withLock { $0.file = file }
        return file
    }

    /// Makes a response visible to look-ups by writing its metadata, and removes the responses that it replaces.
    private func publish(_ response: StoredResponse, _ request: HTTPHeaders) throws(FileError) {
        let former = replaced(by: response, request)
        guard !former.contains(where: { $0.response.isNewer(than: response) }) else { return abandon() }
        _ = try openFile()
        withExtendedLifetime(state.withLock { $0.file.take() }) {}
        let name = String.unique
        let content = store.layout.contentFile(name)
        let file = written.withLock { ContentFile(name: name, length: $0.length, checksums: $0.checksums) }
        let metadata = StoredMetadata.encoded(response, file)
        let entryPath = "\(store.layout.entries(of: response.key))/\(DiskLayout.variant(response.nominated))"
        // A metadata file over `maximumLength` would be considered damaged when it is read. Its space is reserved
        // before the content gets its place, where an eviction would remove it, because it looks unused.
        guard metadata.count <= StoredMetadata.maximumLength, store.reserve(metadata.count) else {
            throw FileError(code: POSIXErrorCode.EFBIG.rawValue, operation: "write", path: entryPath)
        }
        do throws(FileError) {
            try store.files.withDirectory(of: content) { () throws(FileError) in
                try store.files.move(path, to: content)
            }
            try store.write(metadata, to: entryPath)
        } catch {
            store.release(metadata.count)
            try? store.files.removeFile(content)
            throw error
        }
        store.state.withLock { state in
            state.statistics.writes += 1
            state.statistics.responses += 1
        }
        for former in former {
            if former.files.metadataPath != entryPath { try? store.files.removeFile(former.files.metadataPath) }
            store.removeContent(former)
        }
        store.maintainIfNeeded()
    }

    private func replaced(by response: StoredResponse, _ request: HTTPHeaders) -> [DiskResponseStore.Entry] {
        store.paths(of: response.key).compactMap { store.entry($0) }
            .filter { $0.response.key == response.key && $0.response.matches(request) }
    }
}
