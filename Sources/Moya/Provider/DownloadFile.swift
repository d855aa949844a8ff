import Foundation

// The file that a response's content is written to. Only one thread at a time may call its methods.
final class DownloadFile: Sendable {
    private struct State: Sendable {
        var handle: FileHandle?
        /// Whether the partial file is reserved: from the first write to the end of the response.
        var isReserved = false
        /// The size of the file in bytes when the request was sent; 0 if the download starts from the beginning.
        var offset: Int64 = 0
        /// The validator of the content in the file, such as an entity tag (RFC 9110, section 8.8).
        var validator: String?
        /// The length of the complete content in bytes, if the server has declared it for a resumed download.
        var expected: Int64?
    }

    /// The partial files in use, so that two downloads of this process can't mix their contents in one.
    static let partialFilesInUse = Locked<Set<String>>([])

    /// The maximum length of a validator in bytes; a server may refuse a request with a longer one.
    private static let longestValidator = 1024

    private let destination: DownloadDestination
    private let isPartial: Bool
    private let file: URL
    private let state = Locked(State())

    init(_ destination: @escaping DownloadDestination, partialFile: URL?) {
        self.destination = destination
        isPartial = partialFile != nil
        file = partialFile ?? FileManager.default.privateFile()
    }

    deinit { release() }

    private var validatorFile: URL { file.appendingPathExtension("version") }

    /// Header fields that request the missing range of a partial file; `nil` if there is nothing to resume.
    func resumption() -> HTTPHeaders? {
        guard isPartial, let size = fileSize(), size > 0, let validator = validator() else { return nil }
        state.withLock { state in
            state.offset = size
            state.validator = validator
        }
        return ["Range": "bytes=\(size)-", "If-Range": validator]
    }

    // In bytes. Not from the resource values of `URL`, which are cached and may be outdated.
    private func fileSize() -> Int64? {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size].flatMap { ($0 as? NSNumber)?.int64Value }
    }

    /// Returns the stored validator; `nil` if there is none that a request can have, for example after a power loss.
    private func validator() -> String? {
        guard let text = try? String(contentsOf: validatorFile, encoding: .utf8), !text.isEmpty,
            text.utf8.count <= Self.longestValidator, !text.hasPrefix("W/"),
            (try? (["If-Range": text] as HTTPHeaders).validate()) != nil
        else { return nil }
        return text
    }

    /// Returns whether a response refuses the requested range; the next response then replaces the content of the file.
    func restarts(after head: ResponseHead) -> Bool {
        guard head.statusCode == 416 || head.statusCode == 206 && !continues(head) else { return false }
        state.withLock { $0.offset = 0 }
        return true
    }

    // Whether a response contains the range that follows the content of the file (RFC 9110, section 15.3.7). Doesn't
    // read the file, because it is called on the transport's thread, which must not block.
    func continues(_ head: ResponseHead) -> Bool {
        let (offset, validator) = state.withLock { ($0.offset, $0.validator) }
        guard offset > 0, head.statusCode == 206, let part = ContentRange(head), part.start == offset,
            // Without the length of the whole, the end of the part may be taken for that of the content.
            part.total != nil, head.headers["Content-Encoding"] == nil
        else { return false }
        let validators = [head.headers["ETag"], head.headers["Last-Modified"]].compactMap(\.self)
        return validators.isEmpty || validator.map(validators.contains) == true
    }

    // Writes the content of a 2xx response. May block on file I/O, so never call it under a lock. With the head of
    // such a response, returns the size of the file before, in bytes.
    func store(_ events: TransportEvents) throws -> Int64? {
        var offset: Int64?
        if let head = events.head, (200..<300).contains(head.statusCode) { offset = try begin(head) }
        let handle = state.withLock { $0.handle }
        for chunk in events.chunks { try handle?.write(contentsOf: chunk) }
        return offset
    }

    private func begin(_ head: ResponseHead) throws -> Int64 {
        if isPartial, state.withLock({ !$0.isReserved }) { try reserve() }
        let isContinued = continues(head)
        if !isContinued { try recreateFile(for: head) }
        let handle = try FileHandle(forWritingTo: file)
        let end = Int64(try handle.seekToEnd())
        let expected = isContinued ? ContentRange(head)?.total : nil
        let (offset, version) = state.withLock { state in
            state.handle = handle
            state.expected = expected
            return (state.offset, state.validator)
        }
        // A cancelled download may have written more of the same content after this request was prepared.
        guard end == offset || end > offset && validator() == version else {
            throw CocoaError(
                .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "another process or request writes to it"])
        }
        try handle.seek(toOffset: UInt64(offset))
        return offset
    }

    /// Refuses to replace what is no file, creates a missing directory, and reserves the partial file.
    private func reserve() throws {
        for path in [file.path, validatorFile.path] {
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            guard let type, ![.typeRegular, .typeSymbolicLink].contains(type) else { continue }
            let reason = "\(path) is not a regular file. Pass the URL of a file as the partial file."
            throw CocoaError(
                .fileWriteFileExists, userInfo: [NSLocalizedDescriptionKey: reason, NSFilePathErrorKey: path])
        }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let path = file.standardizedFileURL.path
        guard Self.partialFilesInUse.withLock({ $0.insert(path).inserted }) else {
            let reason = "another download of this process is writing to it. Use one partial file for each download."
            throw CocoaError(
                .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: reason, NSFilePathErrorKey: file.path])
        }
        state.withLock { $0.isReserved = true }
    }

    private func recreateFile(for head: ResponseHead) throws {
        state.withLock { $0.offset = 0 }
        try? FileManager.default.removeItem(at: file)
        if isPartial { try? FileManager.default.removeItem(at: validatorFile) }
        try FileManager.default.createPrivateFile(at: file)
        // The validator is stored only if the download can be resumed. Compressed content cannot be resumed.
        guard isPartial, head.statusCode == 200, head.headers["Content-Encoding"] == nil,
            let validator = head.strongValidator
        else { return }
        try Data(validator.utf8).write(to: validatorFile)
    }

    private func move(to target: URL, _ options: DownloadOptions) throws {
        let manager = FileManager.default
        let folder = target.deletingLastPathComponent()
        if options.contains(.createIntermediateDirectories) {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let previous = (try? manager.attributesOfItem(atPath: target.path))?[.type] as? FileAttributeType
        guard options.contains(.removePreviousFile), let previous else {
            try manager.moveItem(at: file, to: target)
            return manager.setDefaultMode(of: target)
        }
        guard previous == .typeRegular || previous == .typeSymbolicLink else {
            let reason = "it is a directory, or not a regular file"
            throw CocoaError(.fileWriteFileExists, userInfo: [NSLocalizedDescriptionKey: reason])
        }
        // `replaceFile` is atomic only within one file system. So the file is first moved to the folder of `target`.
        let temporary = folder.appending(path: ".moya.\(String.unique)")
        try manager.moveItem(at: file, to: temporary)
        manager.setDefaultMode(of: temporary)
        do {
            try manager.replaceFile(at: target, with: temporary)
        } catch {
            try? manager.moveItem(at: temporary, to: file)
            throw error
        }
    }

    /// Moves a successful download to its destination; otherwise, keeps only a partial file, which can be completed.
    func settle(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        defer { release() }
        guard case .success(var response) = result, (200..<300).contains(response.statusCode) else {
            abandon()
            return result
        }
        do {
            try close()
            if let expected = state.withLock({ $0.expected }), expected != fileSize() {
                throw URLError(.networkConnectionLost, "a part is missing")
            }
            // A stub that consists of a status code and data has no Foundation response.
            let head =
                response.response
                ?? HTTPURLResponse(
                    url: response.requestURL ?? URL(filePath: "/"), statusCode: response.statusCode,
                    httpVersion: "HTTP/1.1", headerFields: response.headers.dictionary)
            guard let head else { throw URLError(.badServerResponse) }
            let (target, options) = destination(file, head)
            if target.standardizedFileURL == file.standardizedFileURL {
                FileManager.default.setDefaultMode(of: target)
            } else {
                do { try move(to: target, options) } catch { throw error.ofSaving(at: target) }
            }
            try? FileManager.default.removeItem(at: validatorFile)
            response.fileURL = target
            return .success(response)
        } catch {
            abandon()
            return .failure(.underlying(error, response))
        }
    }

    /// Lets the next download of the partial file begin, although a callback of this one, which has failed, still runs.
    ///
    /// A write that has not returned yet writes the same content: see `begin`.
    func makeWay() {
        if state.withLock({ $0.handle != nil }) { release() }
    }

    private func abandon() {
        try? close()
        if !isPartial { try? FileManager.default.removeItem(at: file) }
    }

    private func release() {
        guard state.withLock({ exchange(&$0.isReserved, with: false) }) else { return }
        let path = file.standardizedFileURL.path
        Self.partialFilesInUse.withLock { _ = $0.remove(path) }
    }

    private func close() throws {
        try state.withLock { $0.handle.take() }?.close()
    }
}

/// The value of `Content-Range` in a partial response (RFC 9110, section 14.4).
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
    /// The strong validator of the content for `If-Range` (RFC 9110, section 13.1.5); `nil` if there is none.
    ///
    /// An `ETag` is strong unless it begins with `W/`. Without an `ETag`, `Last-Modified` is strong if it is at least a
    /// minute before `Date`: content that has just changed may change again within the same second.
    fileprivate var strongValidator: String? {
        if let tag = headers["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
        guard let text = headers["Last-Modified"], let modified = Date(httpDate: text),
            let now = headers["Date"].flatMap({ Date(httpDate: $0) }), now.timeIntervalSince(modified) >= 60
        else { return nil }
        return text
    }
}

extension Error {
    /// The error with the path of a file that could not be saved, and the reason of the system.
    fileprivate func ofSaving(at target: URL) -> CocoaError {
        let cause = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let text = "the file cannot be saved as \(target.path): \((cause ?? self).localizedDescription)"
        var info: [String: Any] = [NSLocalizedDescriptionKey: text, NSFilePathErrorKey: target.path]
        info[NSUnderlyingErrorKey] = cause
        return CocoaError((self as? CocoaError)?.code ?? .fileWriteUnknown, userInfo: info)
    }
}
