import Foundation

extension FileManager {
    /// Returns a unique URL in the folder for temporary files.
    func privateFile() -> URL {
        temporaryDirectory.appending(path: "moya.\(UUID().uuidString)")
    }

    /// Creates or truncates a file that only its owner may read and write.
    func createPrivateFile(at file: URL, contents: Data? = nil) throws {
        guard createFile(atPath: file.path, contents: contents, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
