#if os(Linux)
    import CCurl
    import Foundation

    /// A file that is in memory alone, and open in this process alone: nothing of it is left when the process ends,
    /// however that comes.
    ///
    /// It is closed with its last owner; whoever opened it by its path has it as long as they want.
    final class MemoryFile: Sendable {
        private let descriptor: Int32

        /// - Throws: a `POSIXError` when there is no memory or no descriptor for it, or when it cannot be opened by its path.
        init(_ content: Data) throws {
            // SAFETY: the function reads as many bytes as the buffer has, and keeps none of them.
            descriptor = unsafe content.withUnsafeBytes { unsafe cepoll_memory_file($0.baseAddress, $0.count) }
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw POSIXError(.ENOENT, userInfo: [NSFilePathErrorKey: path])
            }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        /// Where this process finds it.
        var path: String { "/proc/self/fd/\(descriptor)" }
    }
#endif
