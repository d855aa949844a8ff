import Foundation

/// Reserves a partial file until released, so that two downloads of this process can't mix their contents in it.
final class PartialFileUse: Sendable {
    static let paths = Locked<Set<String>>([])

    private let path: String

    private init(_ path: String) {
        self.path = path
    }

    deinit {
        Self.paths.withLock { _ = $0.remove(path) }
    }

    /// Reserves a file; throws an error if another download is using the file.
    static func begin(_ file: URL) throws -> PartialFileUse {
        let path = file.standardizedFileURL.path
        guard paths.withLock({ $0.insert(path).inserted }) else {
            let reason = "another download of this process is writing to it. Use one partial file for each download."
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSLocalizedDescriptionKey: reason, NSFilePathErrorKey: file.path])
        }
        return PartialFileUse(path)
    }
}
