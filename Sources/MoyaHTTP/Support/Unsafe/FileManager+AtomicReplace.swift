package import Foundation

extension FileManager {
    /// Foundation's `replaceItemAt` fails for existing files on Linux.
    package func replaceFile(at target: URL, with file: URL) throws {
        // SAFETY: both paths are copied to NUL-terminated buffers that are valid for the duration of the call.
        let result = unsafe rename(file.path, target.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path]) }
    }
}
