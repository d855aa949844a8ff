import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The file that an answer is collected in.
///
/// Used by one thread at a time.
final class DownloadFile: Sendable {
    private struct State: Sendable {
        var handle: FileHandle?
        /// What is there already of the version that is asked for.
        var offset: Int64 = 0
        var length: Int64 = 0
        /// Of the whole, if the server said so.
        var expected: Int64?
    }

    private let destination: DownloadDestination
    private let isPartial: Bool
    private let file: URL
    private let state = Guarded(State())

    init(_ destination: @escaping DownloadDestination, partialFile: URL?) {
        self.destination = destination
        isPartial = partialFile != nil
        file = partialFile ?? FileManager.default.privateFile()
    }

    /// Beside a partial file: of which version it is.
    private var versionFile: URL { file.appendingPathExtension("version") }

    /// The fields that ask for what is missing; nil if there is nothing to go on with.
    func resumption() -> HTTPHeaders? {
        guard isPartial, let size = fileSize(), size > 0, let version = version() else { return nil }
        state.withLock { $0.offset = size }
        return ["Range": "bytes=\(size)-", "If-Range": version]
    }

    /// Asked of the file system anew: URLs remember.
    private func fileSize() -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size].flatMap { ($0 as? NSNumber)?.int64Value }
    }

    private func version() -> String? {
        (try? String(contentsOf: versionFile, encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Forgets what an interrupted download left.
    func startOver() {
        state.withLock { $0.offset = 0 }
        removeFiles()
    }

    /// Whether an answer is a part that goes on with what is there (RFC 9110, section 15.3.7).
    func continues(_ head: ResponseHead) -> Bool {
        let offset = state.withLock { $0.offset }
        guard offset > 0, head.statusCode == 206, let part = ContentRange(head), part.start == offset else {
            return false
        }
        let versions = [head.headers["ETag"], head.headers["Last-Modified"]].compactMap(\.self)
        return versions.isEmpty || version().map(versions.contains) == true
    }

    /// Writes the content of a success; that of another response is left to the caller.
    ///
    /// It may wait for the disk: to be called under no lock.
    ///
    /// - Returns: when the file was opened for the head of `events`, how much of the content it had before, in bytes.
    func store(_ events: TransportEvents) throws -> Int64? {
        var offset: Int64?
        if let head = events.head, (200..<300).contains(head.statusCode) { offset = try begin(head) }
        try write(events.chunks)
        return offset
    }

    /// Opens the file for a response.
    ///
    /// - Returns: how much of the content is there already, in bytes.
    private func begin(_ head: ResponseHead) throws -> Int64 {
        let isContinued = continues(head)
        if !isContinued { try startOver(with: head) }
        let handle = try FileHandle(forWritingTo: file)
        let end = Int64(try handle.seekToEnd())
        let expected = isContinued ? ContentRange(head)?.total : nil
        let hasGrown = state.withLock { state in
            let hasGrown = end != state.offset
            state.handle = handle
            state.length = end
            state.expected = expected
            return hasGrown
        }
        if hasGrown {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "somebody else writes to it"])
        }
        return end
    }

    private func startOver(with head: ResponseHead) throws {
        startOver()
        try FileManager.default.createPrivateFile(at: file)
        // A part of what was compressed would be of no use.
        guard isPartial, head.statusCode == 200, head.headers["Content-Encoding"] == nil,
            let version = head.strongVersion
        else { return }
        try Data(version.utf8).write(to: versionFile)
    }

    private func write(_ content: [Data]) throws {
        guard let handle = state.withLock({ $0.handle }) else { return }
        for chunk in content {
            try handle.write(contentsOf: chunk)
            state.withLock { $0.length += Int64(chunk.count) }
        }
    }

    /// Moves the file to its place.
    func finish(_ response: HTTPURLResponse) throws -> URL {
        try close()
        let (length, expected) = state.withLock { ($0.length, $0.expected) }
        guard expected == nil || expected == length else { throw URLError(.networkConnectionLost, "a part is missing") }
        let (place, options) = destination(file, response)
        if place.standardizedFileURL != file.standardizedFileURL { try move(to: place, options) }
        try? FileManager.default.removeItem(at: versionFile)
        return place
    }

    private func move(to place: URL, _ options: DownloadOptions) throws {
        let manager = FileManager.default
        let folder = place.deletingLastPathComponent()
        if options.contains(.createIntermediateDirectories) {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let previous = (try? manager.attributesOfItem(atPath: place.path))?[.type] as? FileAttributeType
        guard options.contains(.removePreviousFile), let previous else {
            return try manager.moveItem(at: file, to: place)
        }
        guard previous != .typeDirectory else {
            throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: place.path])
        }
        // First beside it, which may be from one disk to another; then in its place in one step.
        let beside = folder.appending(path: ".moya.\(UUID().uuidString)")
        try manager.moveItem(at: file, to: beside)
        do {
            try manager.replaceFile(at: place, with: beside)
        } catch {
            try? manager.moveItem(at: beside, to: file)
            throw error
        }
    }

    /// What was interrupted is kept, if somebody is to go on with it.
    func abandon() {
        try? close()
        if !isPartial { removeFiles() }
    }

    private func close() throws {
        let handle = state.withLock { state in
            defer { state.handle = nil }
            return state.handle
        }
        try handle?.close()
    }

    private func removeFiles() {
        try? FileManager.default.removeItem(at: file)
        if isPartial { try? FileManager.default.removeItem(at: versionFile) }
    }
}

/// Which part of a whole an answer is (RFC 9110, section 14.4).
private struct ContentRange {
    let start: Int64
    let total: Int64?

    init?(_ head: ResponseHead) {
        guard let text = head.headers["Content-Range"],
            let match = text.wholeMatch(of: /bytes\s+(\d+)-(\d+)\/(\d+|\*)/.ignoresCase()), let start = Int64(match.1)
        else { return nil }
        self.start = start
        total = Int64(match.3)
    }
}

extension ResponseHead {
    /// What tells this version from any other (RFC 9110, section 13.1.5): a strong `ETag`, or, where there is none at all, a
    /// `Last-Modified` that was a minute ago at least.
    fileprivate var strongVersion: String? {
        if let tag = headers["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
        guard let text = headers["Last-Modified"], let modified = Date(httpDate: text),
            let now = headers["Date"].flatMap(Date.init(httpDate:)), now.timeIntervalSince(modified) >= 60
        else { return nil }
        return text
    }
}
