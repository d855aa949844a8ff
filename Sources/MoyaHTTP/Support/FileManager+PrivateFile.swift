package import Foundation

extension FileManager {
    package func privateFile() -> URL {
        temporaryDirectory.appending(path: "moya.\(String.unique)")
    }

    package func createPrivateFile(at file: URL) throws {
        guard createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO).localizedDescription
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: file.path,
                    NSLocalizedDescriptionKey: "The file \(file.path) cannot be created: \(reason)",
                ])
        }
    }

    /// The mode comes from a file created for this purpose: the umask can't be read without changing it, which would
    /// affect the files of other threads.
    package func setDefaultMode(of file: URL) {
        let other = file.deletingLastPathComponent().appending(path: ".moya.\(String.unique)")
        guard createFile(atPath: other.path, contents: nil) else { return }
        defer { try? removeItem(at: other) }
        guard let mode = (try? attributesOfItem(atPath: other.path))?[.posixPermissions] else { return }
        try? setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
}

extension String {
    // 128 random bits. `UUID()` on Linux is the same for all if the process has no file descriptor left.
    package static var unique: String { (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal }
}
