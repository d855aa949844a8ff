import Foundation

/// The random bytes with which a cache hashes partitions, so that hashes in different caches differ.
enum PartitionSalt {
    private static let length = 32

    static func random() -> [UInt8] { (0..<length).map { _ in .random(in: .min ... .max) } }

    // Creates the salt if it is missing or damaged, under a lock: two processes that start at once get the same one. If
    // it can't be stored, it is valid for this process only.
    static func load(_ layout: DiskLayout, _ files: any FileSystem = LocalFileSystem()) -> [UInt8] {
        if let stored = try? stored(files.openFile(layout.salt, .reading)) { return stored }
        let salt = random()
        do throws(FileError) {
            let file = try files.withDirectory(of: layout.salt) { () throws(FileError) in
                try files.openFile(layout.salt, .locking)
            }
            // The lock is held only while 32 bytes are written.
            for _ in 0..<100_000 {
                if file.tryLock() { break }
                sched_yield()
            }
            if let stored = try stored(file) { return stored }
            try file.append(Data(salt))
        } catch {}
        return salt
    }

    private static func stored(_ file: any OpenFile) throws(FileError) -> [UInt8]? {
        let data = try file.read(at: 0, count: length)
        return data.count == length ? Array(data) : nil
    }
}
