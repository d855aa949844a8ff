#if os(Linux)
    import CMoyaCurl
    import Foundation

    // A file in memory, to pass keys and certificates to libcurl as a path without writing them to disk. Closed on
    // `deinit`; descriptors that were opened with ``path`` stay valid.
    final class CurlTrustFile: Sendable {
        private let descriptor: Int32

        init(_ content: Data) throws {
            // SAFETY: the function reads as many bytes as the buffer has, and does not retain the pointer.
            descriptor = unsafe content.withUnsafeBytes { unsafe cepoll_memory_file($0.baseAddress, $0.count) }
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw POSIXError(.ENOENT, userInfo: [NSFilePathErrorKey: path])
            }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        var path: String { "/proc/self/fd/\(descriptor)" }
    }
#endif
