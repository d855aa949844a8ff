import Foundation

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

    /// The length in bytes.
    var count: Int { range.count }

    /// The file; `nil` for content in memory.
    var file: OpenContentFile? { if case .file(let file) = source { file } else { nil } }

    /// Returns a range of this content; offsets in the result begin at 0.
    func part(_ part: Range<Int>) -> StoredContent {
        StoredContent(source, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }

    /// Reads a range of the content; returns `nil` if the file cannot be read or has become shorter.
    ///
    /// Content in a file must be read on the file's queue.
    func bytes(_ part: Range<Int>) -> Data? {
        let start = range.lowerBound + part.lowerBound
        switch source {
        case .data(let data):
            let first = data.startIndex + start
            return data[first..<first + part.count]
        case .file(let file):
            guard let data = try? file.file.read(at: start, count: part.count), data.count == part.count else {
                return nil
            }
            return data
        }
    }
}

/// The content file of a stored response, opened for reading.
///
/// The open file stays readable after it is removed from its directory.
final class OpenContentFile: Sendable {
    let file: any OpenFile
    /// The length in bytes.
    let length: Int
    /// The queue on which the file is read.
    let queue: DiskQueue

    init(_ file: any OpenFile, length: Int, queue: DiskQueue) {
        self.file = file
        self.length = length
        self.queue = queue
    }
}
