public import Foundation

/// The content of a request.
///
/// Content can be read again from the start, so that a transport can send a request again if its connection was closed.
public enum RequestBody: Sendable {
    /// No content.
    case none
    /// Content in memory.
    case data(Data)
    /// A file, which is read while it is sent.
    case file(URL)
    /// A stream, which is opened again each time the request is sent.
    ///
    /// If `length` is `nil`, the content is sent in chunks. Otherwise the request fails if the stream does not have
    /// exactly this length. To check the length, the transport may delay the last bytes until the reader returns
    /// ``BodyPart/end``.
    ///
    /// `open` receives the closure `resume`. After a reader has returned ``BodyPart/pending``, the reader must call
    /// `resume`, on any thread, as soon as more content is available.
    case stream(length: Int64?, open: @Sendable (_ resume: @escaping @Sendable () -> Void) throws -> any BodyReader)
}

/// Reads the content of a request in parts, from start to end.
///
/// A reader is used by one thread at a time.
public protocol BodyReader {
    /// Returns the next 1 to `count` bytes of the content, ``BodyPart/pending`` if none are available yet, or
    /// ``BodyPart/end``.
    ///
    /// The method must not block.
    mutating func read(upTo count: Int) throws -> BodyPart
}

/// A part of the content that a reader returns.
public enum BodyPart: Sendable {
    /// The next bytes of the content.
    case data(Data)
    /// No bytes are available yet. When they are, the reader calls `resume`, the closure that `open` received.
    case pending
    /// The end of the content.
    case end
}

extension RequestBody {
    /// Returns the length in bytes, which a transport declares to the server, or `nil` if the length is not known.
    ///
    /// - Throws: the error of the file system if the file does not exist; a `URLError` if it is not a regular file.
    public func length() throws -> Int64? {
        switch self {
        case .none: return 0
        case .data(let data): return Int64(data.count)
        case .file(let url):
            guard url.isFileURL else { throw URLError(.unsupportedURL, "the URL is not that of a file") }
            let values = try url.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values.isRegularFile == true else { throw URLError(.fileIsDirectory) }
            return values.fileSize.map(Int64.init)
        case .stream(let length, _): return length
        }
    }

    /// Returns a reader at the start of the content; a transport calls this each time it sends the request.
    ///
    /// - Parameter resume: called on any thread when content is available again after the reader has returned
    ///   ``BodyPart/pending``.
    /// - Throws: the error of the file system if a file cannot be opened; the error of a stream's `open`.
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

extension Int64 {
    /// Returns the sum, or `nil` if the sum overflows, for example because a server has declared a huge length.
    package func adding(_ other: Int64) -> Int64? {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? nil : sum
    }
}
