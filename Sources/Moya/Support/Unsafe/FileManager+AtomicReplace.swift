import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileManager {
    /// Puts a file in the place of another one of the same disk, in one step: at no time there is none.
    ///
    /// Foundation's `replaceItemAt` does not find its files on Linux.
    func replaceFile(at place: URL, with file: URL) throws {
        // SAFETY: both texts are copied to buffers that live as long as the call, with a NUL at their ends.
        let result = unsafe rename(file.path, place.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place.path]) }
    }
}
