package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileManager {
    /// Replaces a file atomically with another file of the same file system.
    ///
    /// Foundation's `replaceItemAt` is not used, because on Linux it fails for existing files.
    package func replaceFile(at target: URL, with file: URL) throws {
        // SAFETY: both paths are copied to NUL-terminated buffers that are valid for the duration of the call.
        let result = unsafe rename(file.path, target.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path]) }
    }
}
