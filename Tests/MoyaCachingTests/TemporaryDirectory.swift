import Foundation
import Moya
import MoyaScheduling
import MoyaTesting

@testable import MoyaCaching

/// A directory for one test, which is removed when it is released.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "moya-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A store that has done all its work when a function returns.
    func store(
        limit: Int = 1 << 20, files: any FileSystem = LocalFileSystem(), maintenance: any Scheduler = .immediate
    ) throws -> DiskResponseStore {
        try DiskResponseStore(
            directory: path, limit: limit, files: files, scheduler: .immediate, maintenance: maintenance)
    }

    /// A cache with such a store.
    func cache(
        limit: Int = 1 << 20, files: any FileSystem = LocalFileSystem(), maintenance: any Scheduler = .immediate
    ) throws -> HTTPCache {
        HTTPCache(store: try store(limit: limit, files: files, maintenance: maintenance))
    }

    /// A cache whose disk does nothing until the clock is moved.
    func slowCache(_ disk: VirtualTime) throws -> HTTPCache {
        HTTPCache(
            store: try DiskResponseStore(directory: path, limit: 64 << 20, scheduler: disk, maintenance: .immediate))
    }

    /// The files in a folder, with their paths from the root of the file system.
    func files(in folder: String = "") -> [String] {
        let root = "\(path)/\(folder)"
        return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).map { "\(root)/\($0)" }
            .filter { (try? LocalFileSystem().status(of: $0))?.isDirectory == false }
    }

    var metadata: [String] { files(in: "v3/index") }
    var contents: [String] { files(in: "v3/content") }
    var temporaryFiles: [String] { files(in: "v3/tmp") }

    /// The lengths of all files.
    var bytes: Int { Self.bytes(of: files()) }

    /// The lengths of the files that a store counts.
    var countedBytes: Int { Self.bytes(of: metadata + contents + temporaryFiles) }

    private static func bytes(of files: [String]) -> Int {
        files.reduce(0) { $0 + ((try? LocalFileSystem().status(of: $1).size) ?? 0) }
    }

    /// Writes a file of zeros that no response refers to; returns its path.
    @discardableResult
    func addFile(in folder: String, length: Int) throws -> String {
        let file = "\(path)/\(folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
        try Data(count: length).write(to: URL(filePath: file))
        return file
    }

    /// Sets the modification time of a file to a time before now.
    func age(_ file: String, by seconds: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: file)
    }
}
