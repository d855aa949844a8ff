import Foundation

/// The random bytes with which a cache hashes partitions, so that hashes in different caches differ.
enum PartitionSalt {
    private static let length = 32

    static func random() -> [UInt8] { (0..<length).map { _ in .random(in: .min ... .max) } }

    // Creates the salt if it is missing or damaged. If it can't be stored, it is valid for this process only.
    static func load(_ layout: DiskLayout, _ files: any FileSystem = LocalFileSystem()) -> [UInt8] {
        if let stored = stored(layout, files) { return stored }
        try? files.removeFile(layout.salt)
        let salt = random()
        do throws(FileError) {
            let file = try files.withDirectory(of: layout.salt) { () throws(FileError) in
                try files.openFile(layout.salt, .creating)
            }
            try file.append(Data(salt))
        } catch {
            // Another process may have created the file first.
            return stored(layout, files) ?? salt
        }
        return salt
    }

    private static func stored(_ layout: DiskLayout, _ files: any FileSystem) -> [UInt8]? {
        guard let file = try? files.openFile(layout.salt, .reading),
            let data = try? file.read(at: 0, count: length), data.count == length
        else { return nil }
        return Array(data)
    }
}
