public import Foundation

/// The content of a request.
///
/// Each can be read again from the start, so that an engine can repeat a request whose connection turned out to be dead.
public enum RequestBody: Sendable {
    /// None.
    case none
    /// Bytes.
    case data(Data)
    /// A file, read as it is sent.
    case file(URL)
    /// Whatever `open` gives, opened anew for each sending. Without a length it is sent in chunks; with one, a stream that
    /// is shorter or longer is a failure: its last part may be kept until it has said that it is at its end.
    ///
    /// `open` is given a closure to call, from any thread, when a reader that was ``BodyPart/pending`` has more.
    case stream(length: Int64?, open: @Sendable (_ resume: @escaping @Sendable () -> Void) throws -> any BodyReader)
}

/// A source of content.
///
/// Used by one thread at a time.
public protocol BodyReader {
    /// The next bytes, at most `count` and at least one; or that there are none now, or none any more. Must not block.
    mutating func read(upTo count: Int) throws -> BodyPart
}

/// What a reader gives.
public enum BodyPart: Sendable {
    /// Bytes.
    case data(Data)
    /// None yet: `resume` is called when there are more.
    case pending
    /// The end.
    case end
}

extension RequestBody {
    /// The length in bytes, if it is known: what an engine declares.
    ///
    /// - Throws: for a file that is not there, the error of the file system; for what is no regular file, a `URLError`.
    public func length() throws -> Int64? {
        switch self {
        case .none: return 0
        case .data(let data): return Int64(data.count)
        case .file(let url):
            let values = try url.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values.isRegularFile == true else { throw URLError(.fileIsDirectory) }
            return values.fileSize.map(Int64.init)
        case .stream(let length, _): return length
        }
    }

    /// Starts to read the content, from its beginning: an engine does so for each sending.
    ///
    /// - Parameter resume: called, from any thread, when a reader that was ``BodyPart/pending`` has more.
    /// - Throws: for a file that cannot be opened, the error of the file system; the error of a stream's own `open`.
    public func open(resume: @escaping @Sendable () -> Void) throws -> any BodyReader {
        switch self {
        case .none: DataReader(data: Data())
        case .data(let data): DataReader(data: data)
        case .file(let url): FileReader(file: try FileHandle(forReadingFrom: url))
        case .stream(_, let open): try open(resume)
        }
    }
}

private struct DataReader: BodyReader {
    var data: Data

    mutating func read(upTo count: Int) -> BodyPart {
        guard !data.isEmpty else { return .end }
        defer { data = data.dropFirst(count) }
        return .data(data.prefix(count))
    }
}

private struct FileReader: BodyReader {
    let file: FileHandle

    func read(upTo count: Int) throws -> BodyPart {
        guard let data = try file.read(upToCount: count), !data.isEmpty else { return .end }
        return .data(data)
    }
}
