import Foundation
import MoyaHTTP

/// The content of a stored response, or a range of it: in memory, or in an open file.
struct StoredContent: Sendable {
    private var data = Data()
    /// The file that has the content instead of `data`.
    private(set) var file: OpenContentFile?
    private var range: Range<Int>

    static let empty = StoredContent(Data())

    init(_ data: Data) {
        self.data = data
        range = 0..<data.count
    }

    init(_ file: OpenContentFile) {
        self.file = file
        range = 0..<file.content.length
    }

    var count: Int { range.count }

    /// Returns a range of this content; offsets in the result begin at 0.
    func part(_ part: Range<Int>) -> StoredContent {
        var content = self
        content.range = range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound
        return content
    }

    func restOfBlock(at offset: Int) -> Int {
        ContentFile.blockLength - (range.lowerBound + offset) % ContentFile.blockLength
    }

    // `nil` if the file can't be read or was damaged. Files must be read on their queue.
    func bytes(_ part: Range<Int>) -> Data? {
        let start = range.lowerBound + part.lowerBound
        if let file { return file.bytes(start..<start + part.count) }
        let first = data.startIndex + start
        let bytes = data[first..<first + part.count]
        // A slice of other indices would end the process of a user who reads `response.data[0]`.
        return bytes.startIndex == 0 ? bytes : Data(bytes)
    }
}

// A response's content file, opened for reading. It stays readable after it is removed from its directory.
final class OpenContentFile: Sendable {
    private let file: any OpenFile
    let content: ContentFile
    let queue: DiskQueue
    /// The last block that was read, if a part of it was not requested yet.
    private let lastBlock = Locked<(start: Int, data: Data)?>(nil)

    init(_ file: any OpenFile, _ content: ContentFile, queue: DiskQueue) {
        self.file = file
        self.content = content
        self.queue = queue
    }

    /// `nil` if the file cannot be read or is not what was written.
    func bytes(_ range: Range<Int>) -> Data? {
        guard !range.isEmpty else { return Data() }
        let blockLength = ContentFile.blockLength
        let first = range.lowerBound / blockLength
        let start = first * blockLength
        let end = min(content.length, ContentFile.blockCount(ofLength: range.upperBound) * blockLength)
        var data = Data()
        if let block = lastBlock.withLock({ $0 }), block.start == start, start + block.data.count == end {
            data = block.data
        } else {
            guard let read = try? file.read(at: start, count: end - start), read.count == end - start,
                content.verify(read, from: first)
            else { return nil }
            data = read
        }
        let isPartOfBlock = range.upperBound < end && end - start <= blockLength
        lastBlock.withLock { $0 = isPartOfBlock ? (start, data) : nil }
        return range == start..<end ? data : Data(data[range.lowerBound - start..<range.upperBound - start])
    }
}
