import Foundation
import MoyaHTTP

/// The content of a stored response, or a range of it: in memory, or in an open file.
struct StoredContent: Sendable {
    private enum Source: Sendable {
        case data(Data)
        case file(OpenContentFile)
    }

    private let source: Source
    private let range: Range<Int>

    static let empty = StoredContent(Data())

    init(_ data: Data) {
        source = .data(data)
        range = 0..<data.count
    }

    init(_ file: OpenContentFile) {
        source = .file(file)
        range = 0..<file.length
    }

    private init(_ source: Source, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    var count: Int { range.count }

    var file: OpenContentFile? { if case .file(let file) = source { file } else { nil } }

    /// Returns a range of this content; offsets in the result begin at 0.
    func part(_ part: Range<Int>) -> StoredContent {
        StoredContent(source, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }

    func restOfBlock(at offset: Int) -> Int {
        ContentChecksums.blockLength - (range.lowerBound + offset) % ContentChecksums.blockLength
    }

    // `nil` if the file can't be read or was damaged. Files must be read on their queue.
    func bytes(_ part: Range<Int>) -> Data? {
        let start = range.lowerBound + part.lowerBound
        switch source {
        case .data(let data):
            let first = data.startIndex + start
            let bytes = data[first..<first + part.count]
            // A slice of other indices would end the process of a user who reads `response.data[0]`.
            return bytes.startIndex == 0 ? bytes : Data(bytes)
        case .file(let file): return file.bytes(start..<start + part.count)
        }
    }
}

// A response's content file, opened for reading. It stays readable after it is removed from its directory.
final class OpenContentFile: Sendable {
    private struct Block: Sendable {
        let start: Int
        let data: Data
    }

    private let file: any OpenFile
    let length: Int
    private let checksums: ContentChecksums
    let queue: DiskQueue
    /// The last block that was read, if a part of it was not requested yet.
    private let lastBlock = Locked<Block?>(nil)

    init(_ file: any OpenFile, length: Int, checksums: ContentChecksums, queue: DiskQueue) {
        self.file = file
        self.length = length
        self.checksums = checksums
        self.queue = queue
    }

    /// Reads a range of the file; returns `nil` if the file cannot be read or is not what was written.
    func bytes(_ range: Range<Int>) -> Data? {
        guard !range.isEmpty else { return Data() }
        let blockLength = ContentChecksums.blockLength
        let first = range.lowerBound / blockLength
        let start = first * blockLength
        let end = min(length, ContentChecksums.count(ofLength: range.upperBound) * blockLength)
        var data = Data()
        if let block = lastBlock.withLock({ $0 }), block.start == start, start + block.data.count == end {
            data = block.data
        } else {
            guard let read = try? file.read(at: start, count: end - start), read.count == end - start,
                checksums.verify(read, from: first)
            else { return nil }
            data = read
        }
        let isPartOfBlock = range.upperBound < end && end - start <= blockLength
        lastBlock.withLock { $0 = isPartOfBlock ? Block(start: start, data: data) : nil }
        return range == start..<end ? data : Data(data[range.lowerBound - start..<range.upperBound - start])
    }
}
