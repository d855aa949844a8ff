import Foundation

/// Reserves a partial file for one download of this process; releasing this object ends the reservation.
///
/// Without a reservation, two downloads could write to the same file at the same time and mix their contents.
final class PartialFileUse: Sendable {
    /// The paths of the reserved files.
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
