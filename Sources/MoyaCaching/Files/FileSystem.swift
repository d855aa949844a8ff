import Foundation
import MoyaHTTP

// The file operations of a cache on disk, all of which may block. Tests inject one that fails, or ends the process.
protocol FileSystem: Sendable {
    /// Opens a file without following a symbolic link.
    func openFile(_ path: String, _ purpose: FileOpenMode) throws(FileError) -> any OpenFile
    /// Renames a file or directory atomically, within one file system; replaces a file at the new path.
    func move(_ source: String, to target: String) throws(FileError)
    /// Removes a file; an open file stays readable until it is closed.
    func removeFile(_ path: String) throws(FileError)
    func removeDirectory(_ path: String) throws(FileError)
    /// Removes a file, or a directory with its contents, as far as possible.
    func removeTree(_ path: String)
    /// Creates a directory that only its owner can use; the parent must exist.
    func createDirectory(_ path: String) throws(FileError)
    func names(in directory: String) throws(FileError) -> [String]
    /// Returns the status of a file or directory; a symbolic link is not followed.
    func status(of path: String) throws(FileError) -> FileStatus
    func touch(_ path: String) throws(FileError)
    /// Waits until the names in a directory are on the disk, so that they survive a power loss.
    func sync(_ directory: String) throws(FileError)
}

/// An open file; releasing the object closes the file.
protocol OpenFile: Sendable {
    func append(_ data: Data) throws(FileError)
    /// Reads `count` bytes at an offset, or fewer bytes at the end of the file.
    func read(at offset: Int, count: Int) throws(FileError) -> Data
    func status() throws(FileError) -> FileStatus
    /// Acquires the advisory lock without blocking; `false` if another `OpenFile` has it. Closing the file releases it.
    func tryLock() -> Bool
}

enum FileOpenMode: Sendable {
    /// Opens a file for reading, without blocking even if the path names a pipe.
    case reading
    /// Creates a file that only its owner can use; fails if the path exists.
    case creating
    /// Opens a file for locking, and creates it if it does not exist.
    case locking
}

struct FileStatus: Sendable {
    let size: Int
    /// The time of the last modification, in seconds since 1970.
    let modificationTime: TimeInterval
    let isRegular: Bool
    let isDirectory: Bool

    /// The seconds since, or until, the last modification.
    var age: TimeInterval { abs(Date().timeIntervalSince1970 - modificationTime) }
}

struct FileError: LocalizedError {
    var code = errno
    let operation: String
    let path: String

    var isMissing: Bool { code == POSIXErrorCode.ENOENT.rawValue || code == POSIXErrorCode.ENOTDIR.rawValue }

    var errorDescription: String? {
        let reason = NSError(domain: NSPOSIXErrorDomain, code: Int(code)).localizedDescription
        return "\(operation) \(path) failed: \(reason)"
    }
}

extension FileSystem {
    func createDirectories(_ path: String) throws(FileError) {
        do throws(FileError) {
            try withDirectory(of: path) { () throws(FileError) in try createDirectory(path) }
        } catch {
            if error.code != POSIXErrorCode.EEXIST.rawValue { throw error }
        }
    }

    /// Runs an operation on a path; if the parent directory is missing, creates it and runs the operation again.
    func withDirectory<Result>(
        of path: String, _ operation: () throws(FileError) -> Result
    ) throws(FileError) -> Result {
        let directory = (path as NSString).deletingLastPathComponent
        for _ in 0..<2 where !directory.isEmpty {
            do throws(FileError) { return try operation() } catch { if !error.isMissing { throw error } }
            // Creates the directory up to twice, because another process may remove it while it is still empty.
            try createDirectories(directory)
        }
        return try operation()
    }
}

typealias DiskQueue = SerialDelivery<@Sendable () -> Void>
