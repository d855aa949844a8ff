import Foundation

// SAFETY, for every `unsafe` in this file: a path is copied to a NUL-terminated buffer, which is valid for the duration
// of the call, as are local variables.
struct LocalFileSystem: FileSystem {
    func openFile(_ path: String, _ purpose: FileOpenMode) throws(FileError) -> any OpenFile {
        let flags =
            switch purpose {
            case .reading: O_RDONLY | O_NONBLOCK
            case .creating: O_WRONLY | O_CREAT | O_EXCL
            case .locking: O_RDWR | O_CREAT
            }
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileError(operation: "open", path: path) }
        return LocalFile(descriptor, path)
    }

    func move(_ source: String, to target: String) throws(FileError) {
        guard unsafe rename(source, target) == 0 else { throw FileError(operation: "rename", path: target) }
    }

    func removeFile(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw FileError(operation: "unlink", path: path) }
    }

    func removeDirectory(_ path: String) throws(FileError) {
        guard unsafe rmdir(path) == 0 else { throw FileError(operation: "rmdir", path: path) }
    }

    func removeTree(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    func createDirectory(_ path: String) throws(FileError) {
        guard unsafe mkdir(path, 0o700) == 0 else { throw FileError(operation: "mkdir", path: path) }
    }

    func names(in directory: String) throws(FileError) -> [String] {
        // SAFETY: the stream is closed once, after its last use.
        guard let stream = unsafe opendir(directory), let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            throw FileError(operation: "opendir", path: directory)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // At the end of the directory, `readdir` returns `nil` and does not change `errno`.
            errno = 0
            // SAFETY: `entry` is valid until the next call with `stream`, and only this thread uses `stream`.
            guard let entry = unsafe readdir(stream) else { break }
            // SAFETY: `d_name` is a NUL-terminated string within the entry.
            let name = unsafe String(
                cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw FileError(operation: "readdir", path: directory) }
        return names
    }

    func status(of path: String) throws(FileError) -> FileStatus {
        try FileStatus("stat", path) { unsafe lstat(path, &$0) }
    }

    func touch(_ path: String) throws(FileError) {
        // No times stand for the current time.
        guard unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileError(operation: "touch", path: path)
        }
    }

    func sync(_ directory: String) throws(FileError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(operation: "open", path: directory) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError(operation: "fsync", path: directory) }
    }
}

private final class LocalFile: OpenFile {
    private let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    func append(_ data: Data) throws(FileError) {
        var rest = data[...]
        while !rest.isEmpty {
            // SAFETY: the buffer is valid for the duration of the call, which reads at most `$0.count` bytes.
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw FileError(operation: "write", path: path) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    func read(at offset: Int, count: Int) throws(FileError) -> Data {
        var data = Data(count: count)
        var length = 0
        while length < count {
            // SAFETY: the buffer is valid during the call, which writes only to the bytes of the buffer after `length`.
            let result = unsafe data.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: length), count - length, off_t(offset + length))
            }
            if result < 0, errno != EINTR { throw FileError(operation: "read", path: path) }
            if result == 0 { break }
            length += max(0, result)
        }
        return length == count ? data : data.prefix(length)
    }

    func status() throws(FileError) -> FileStatus {
        try FileStatus("fstat", path) { unsafe fstat(descriptor, &$0) }
    }

    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

extension FileStatus {
    fileprivate init(_ operation: String, _ path: String, _ read: (inout stat) -> Int32) throws(FileError) {
        var value = stat()
        guard read(&value) == 0 else { throw FileError(operation: operation, path: path) }
        #if canImport(Darwin)
            let time = value.st_mtimespec
        #else
            let time = value.st_mtim
        #endif
        // Reads the bytes of the `timespec`, because in some builds several modules define this type, and its members
        // are then not accessible.
        //
        // SAFETY: on all 64-bit systems, a `timespec` consists of a `time_t`, then the nanoseconds as an `Int`.
        let (seconds, nanoseconds) = unsafe withUnsafeBytes(of: time) { bytes in
            unsafe (
                bytes.load(as: time_t.self), bytes.load(fromByteOffset: MemoryLayout<time_t>.size, as: Int.self)
            )
        }
        self.init(
            size: Int(clamping: value.st_size),
            modificationTime: TimeInterval(seconds) + TimeInterval(nanoseconds) * 1e-9,
            isRegular: value.st_mode & S_IFMT == S_IFREG, isDirectory: value.st_mode & S_IFMT == S_IFDIR)
    }
}
