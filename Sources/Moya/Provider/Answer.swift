import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What has been received of an answer, and of what was sent.
struct Answer: Sendable {
    /// Content on its way to the server.
    struct Upload: Sendable {
        /// In bytes, if it is known.
        let length: Int64?
        var sent: Int64 = 0
    }

    /// Content on its way to somebody who takes it as it arrives.
    struct Streaming: Sendable {
        /// What is held back of an answer that may be a failure, in bytes.
        static let mostHeld = 64 << 10

        let validation: ValidationType
        /// Somebody was given a part of it.
        var isDelivered = false
    }

    /// What follows on what has come.
    struct Step: Sendable {
        var progress: ProgressResponse?
        var parts: [ResponsePart] = []
        /// How many of the bytes that have come are held back, and not among the parts.
        var heldBack = 0
        /// It is a failure, of which enough is known.
        var isEnough = false
    }

    /// Where the content of a success goes, if into a file.
    let download: DownloadFile?
    /// How the content is handed on, if it is.
    private(set) var streaming: Streaming?
    /// The most that is kept in memory, in bytes.
    private let limit: Int?
    /// What is sent, if progress is about that.
    var upload: Upload?
    private(set) var data = Data()
    private var head: ResponseHead?
    private var isInFile = false
    /// What was in the file before.
    private var offset: Int64 = 0
    private var received: Int64 = 0

    init(download: DownloadFile? = nil, streaming: Streaming? = nil, limit: Int? = nil) {
        self.download = download
        self.streaming = streaming
        self.limit = limit
    }

    /// The bytes that progress is told of.
    var units: Int64 { upload?.sent ?? offset + received }

    /// The length of the content to come in all, if the server said so and it is not compressed.
    private var expected: Int64? {
        guard let head, head.headers["Content-Encoding"] == nil, let length = head.headers["Content-Length"] else {
            return nil
        }
        return Int64(length).flatMap { $0 >= 0 ? offset.adding($0) : nil }
    }

    /// Takes what has come.
    ///
    /// - Parameter fileOffset: how much of the content the file had before, in bytes, when the file was opened for this head;
    ///   the content is in the file then.
    mutating func add(_ events: TransportEvents, fileOffset: Int64? = nil) throws -> Step {
        var step = Step()
        if let head = events.head { self.head = head }
        if let fileOffset {
            offset = fileOffset
            isInFile = true
        }
        received += Int64(events.length)
        switch streaming {
        case _ where isInFile: break
        case nil: try keep(events.chunks)
        case _?: hand(events, to: &step)
        }
        if let upload {
            guard events.bytesSent > upload.sent else { return step }
            self.upload?.sent = events.bytesSent
            step.progress = ProgressResponse(completed: events.bytesSent, total: upload.length)
        } else if !events.chunks.isEmpty {
            step.progress = ProgressResponse(completed: units, total: expected)
        }
        return step
    }

    private mutating func keep(_ chunks: [Data]) throws {
        for chunk in chunks {
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        guard let limit, data.count > limit else { return }
        throw URLError(.dataLengthExceedsMaximum, "the response is larger than the limit of \(limit) bytes")
    }

    /// Parts go on at once, but those of an answer that may be a failure or be repeated: these are held back for a while.
    private mutating func hand(_ events: TransportEvents, to step: inout Step) {
        guard let head, let streaming else { return }
        if streaming.isDelivered {
            step.parts = events.chunks.map { .chunk($0) }
            return
        }
        for chunk in events.chunks { data.append(chunk) }
        let isAccepted = streaming.validation.accepts(head.statusCode)
        guard data.count > Streaming.mostHeld || isAccepted && head.statusCode < 400 else {
            step.heldBack = events.length
            return
        }
        guard isAccepted else {
            step.isEnough = true
            return
        }
        self.streaming?.isDelivered = true
        step.parts = [.head(head)] + (data.isEmpty ? [] : [.chunk(data)])
        data = Data()
    }

    func result(for request: URLRequest?, _ outcome: TransportOutcome) -> Result<Response, MoyaError> {
        let response = head.map { head in
            Response(
                statusCode: head.statusCode, data: data, request: request,
                origin: request?.url.map { .server(head, $0) } ?? .none, headers: head.headers,
                trailers: outcome.trailers, metrics: outcome.metrics)
        }
        if let error = outcome.error { return .failure(.underlying(error, response)) }
        guard let response else { return .failure(.underlying(URLError(.badServerResponse), nil)) }
        return .success(response)
    }

    /// Moves a download to its place; without a success nothing is moved.
    func settle(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        guard let download else { return result }
        guard case .success(let response) = result, (200..<300).contains(response.statusCode) else {
            download.abandon()
            return result
        }
        do {
            // A stub's content is here at once.
            if !isInFile {
                let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: response.headers)
                _ = try download.store(TransportEvents(head: head, chunks: [response.data]))
            }
            guard let head = response.headOrMadeUp else { throw URLError(.badServerResponse) }
            return .success(response.stored(at: try download.finish(head)))
        } catch {
            download.abandon()
            return .failure(.underlying(error, response))
        }
    }
}

extension Response {
    /// A stub may have none.
    fileprivate var headOrMadeUp: HTTPURLResponse? {
        response
            ?? HTTPURLResponse(
                url: request?.url ?? URL(filePath: "/"), statusCode: statusCode, httpVersion: "HTTP/1.1",
                headerFields: headers.dictionary)
    }
}
