import Foundation
import Moya
import MoyaScheduling

@testable import MoyaCaching

/// A file system that calls a closure before each operation.
///
/// The closure may throw, or end the process. Content is written in two halves, so that it may happen in between.
struct FaultyFileSystem: FileSystem {
    enum Kind: Sendable {
        case reading, change, sync
    }

    private let files = LocalFileSystem()
    let before: @Sendable (_ kind: Kind, _ path: String) throws(FileError) -> Void

    func openFile(_ path: String, _ purpose: FileOpenMode) throws(FileError) -> any OpenFile {
        if case .reading = purpose { try before(.reading, path) } else { try before(.change, path) }
        let file = try files.openFile(path, purpose)
        return FaultyFile(file: file, path: path, before: before)
    }

    func move(_ source: String, to target: String) throws(FileError) {
        try before(.change, target)
        try files.move(source, to: target)
    }

    func removeFile(_ path: String) throws(FileError) {
        try before(.change, path)
        try files.removeFile(path)
    }

    func removeDirectory(_ path: String) throws(FileError) {
        try before(.change, path)
        try files.removeDirectory(path)
    }

    func removeTree(_ path: String) {
        guard (try? before(.change, path)) != nil else { return }
        files.removeTree(path)
    }

    func createDirectory(_ path: String) throws(FileError) {
        try before(.change, path)
        try files.createDirectory(path)
    }

    func touch(_ path: String) throws(FileError) {
        try before(.change, path)
        try files.touch(path)
    }

    func sync(_ directory: String) throws(FileError) {
        try before(.sync, directory)
        try files.sync(directory)
    }

    func names(in directory: String) throws(FileError) -> [String] {
        try before(.reading, directory)
        return try files.names(in: directory)
    }

    func status(of path: String) throws(FileError) -> FileStatus {
        try before(.reading, path)
        return try files.status(of: path)
    }
}

private struct FaultyFile: OpenFile {
    let file: any OpenFile
    let path: String
    let before: @Sendable (_ kind: FaultyFileSystem.Kind, _ path: String) throws(FileError) -> Void

    func append(_ data: Data) throws(FileError) {
        try before(.change, path)
        try file.append(data.prefix(data.count / 2))
        try before(.change, path)
        try file.append(data.dropFirst(data.count / 2))
    }

    func read(at offset: Int, count: Int) throws(FileError) -> Data {
        try before(.reading, path)
        return try file.read(at: offset, count: count)
    }

    func status() throws(FileError) -> FileStatus { try file.status() }
    func tryLock() -> Bool { file.tryLock() }
}

/// Counts operations, and fails from one of them on.
final class FaultCounter: Sendable {
    private struct State: Sendable {
        var count = 0
        var failsFrom = Int.max
        var code = POSIXErrorCode.EIO
    }

    private let state = Locked(State())
    private let failsReading: Bool

    init(failsReading: Bool = true) {
        self.failsReading = failsReading
    }

    var count: Int { state.withLock { $0.count } }

    /// Lets all operations fail from one on, or none from now on.
    func fail(from step: Int?, with code: POSIXErrorCode) {
        state.withLock { state in
            state.failsFrom = step ?? .max
            state.code = code
        }
    }

    /// A file system whose operations are counted here.
    var files: FaultyFileSystem {
        FaultyFileSystem { [self] kind, path throws(FileError) in
            let code = state.withLock { state -> Int32? in
                defer { state.count += 1 }
                return state.count >= state.failsFrom && (failsReading || kind == .change) ? state.code.rawValue : nil
            }
            if let code { throw FileError(code: code, operation: "\(kind)", path: path) }
        }
    }
}
