import Foundation

extension FileManager {
    /// A name in the folder for temporary files that nobody else has.
    func privateFile() -> URL {
        temporaryDirectory.appending(path: "moya.\(UUID().uuidString)")
    }

    /// Makes a file, or empties it, that nobody else may read.
    func createPrivateFile(at file: URL, contents: Data? = nil) throws {
        guard createFile(atPath: file.path, contents: contents, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
