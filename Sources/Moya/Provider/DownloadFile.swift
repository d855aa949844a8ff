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
        var offset: Int64 = 0
    }

    private let destination: DownloadDestination
    private let isPartial: Bool
    private let file: URL
    private let state = Guarded(State())

    init(_ destination: @escaping DownloadDestination, partialFile: URL?) {
        self.destination = destination
        isPartial = partialFile != nil
        file = partialFile ?? FileManager.default.temporaryDirectory.appending(path: "moya.\(UUID().uuidString)")
    }

    /// Beside a partial file: of which version it is.
    private var versionFile: URL { file.appendingPathExtension("version") }

    /// The fields that ask for what is missing; nil if there is nothing to go on with.
    func resumption() -> HTTPHeaders? {
        guard isPartial, let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size > 0,
            let version = try? String(contentsOf: versionFile, encoding: .utf8), !version.isEmpty
        else { return nil }
        state.withLock { $0.offset = Int64(size) }
        return ["Range": "bytes=\(size)-", "If-Range": version]
    }

    /// Forgets what an interrupted download left.
    func startOver() {
        state.withLock { $0.offset = 0 }
        removeFiles()
    }

    /// Opens the file for an answer.
    ///
    /// - Returns: how much of the content is there already, in bytes.
    func begin(_ head: ResponseHead) throws -> Int64 {
        let expected = state.withLock { $0.offset }
        if head.statusCode == 206 {
            guard expected > 0, head.headers["Content-Range"]?.hasPrefix("bytes \(expected)-") == true else {
                throw URLError(.cannotParseResponse, "the server sent another part than was asked for")
            }
        } else {
            try startOver(with: head)
        }
        let handle = try FileHandle(forWritingTo: file)
        let offset = Int64(try handle.seekToEnd())
        state.withLock { $0 = State(handle: handle, offset: offset) }
        return offset
    }

    private func startOver(with head: ResponseHead) throws {
        startOver()
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
        let tag = head.headers["ETag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        // A part of what was compressed would be of no use.
        guard isPartial, head.headers["Content-Encoding"] == nil, let version = tag ?? head.headers["Last-Modified"]
        else { return }
        try Data(version.utf8).write(to: versionFile)
    }

    func write(_ content: [Data]) throws {
        let handle = state.withLock { $0.handle }
        for chunk in content { try handle?.write(contentsOf: chunk) }
    }

    /// Moves the file to its place.
    func finish(_ response: HTTPURLResponse) throws -> URL {
        try close()
        let (place, options) = destination(file, response)
        let manager = FileManager.default
        if options.contains(.createIntermediateDirectories) {
            try manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        if options.contains(.removePreviousFile), manager.fileExists(atPath: place.path) {
            // First beside it, which may be from one disk to another: what is there stays until the new one is whole.
            let beside = place.appendingPathExtension(UUID().uuidString)
            try manager.moveItem(at: file, to: beside)
            try manager.removeItem(at: place)
            try manager.moveItem(at: beside, to: place)
        } else {
            try manager.moveItem(at: file, to: place)
        }
        removeFiles()
        return place
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
