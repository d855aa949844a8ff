import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects what has arrived of a response, and what was sent of its request.
struct ResponseAccumulator: Sendable {
    /// Content on its way to the server.
    struct Upload: Sendable {
        /// In bytes, if it is known.
        let length: Int64?
        var sent: Int64 = 0
    }

    /// The state of a response whose parts are delivered as they arrive.
    private enum DeliveryPhase {
        /// The first bytes are held back: the response may be a failure, or be repeated.
        case holding(ValidationType)
        case delivering
    }

    /// What is to be done after a batch.
    struct Step: Sendable {
        var progress: ProgressResponse?
        /// The parts to deliver.
        var parts: [ResponsePart] = []
        /// How many bytes of the batch are held back, and not among the parts.
        var heldBack = 0
        /// Whether the response is refused and enough of its content is known.
        var isRefused = false
    }

    /// The most that is held back of a response that may be a failure, in bytes.
    private static let maximumHeld = 64 << 10

    /// The content that progress is about, if that is the request's.
    var upload: Upload?
    /// The content that was neither delivered nor written to a file.
    private var data = Data()
    private var streaming: DeliveryPhase?
    /// The most that is held in memory, in bytes.
    private let limit: Int?
    private var head: ResponseHead?
    private var isInFile = false
    /// The bytes that were in the file before.
    private var offset: Int64 = 0
    private var received: Int64 = 0

    /// - Parameters:
    ///   - validation: decides which responses are delivered as they arrive; `nil`: none is.
    ///   - limit: the most that is held in memory, in bytes.
    init(streaming validation: ValidationType? = nil, limit: Int? = nil) {
        streaming = validation.map { .holding($0) }
        self.limit = limit
    }

    /// The bytes of which progress is reported.
    var units: Int64 { upload?.sent ?? offset + received }

    /// Whether parts of the response were delivered.
    var isDelivering: Bool { if case .delivering = streaming { true } else { false } }

    /// The length of the whole content, if the server has declared it and the content is not compressed.
    private var expected: Int64? {
        guard let head, head.headers["Content-Encoding"] == nil, let length = head.headers["Content-Length"] else {
            return nil
        }
        return Int64(length).flatMap { $0 >= 0 ? offset.adding($0) : nil }
    }

    /// Adds a batch.
    ///
    /// - Parameter fileOffset: how many bytes the file had before, if a file was opened for the head of this batch: the content
    ///   is in the file then.
    /// - Throws: `URLError.dataLengthExceedsMaximum` when more than the limit has arrived.
    mutating func add(_ batch: TransportEvents, fileOffset: Int64?) throws -> Step {
        var step = Step()
        if let head = batch.head { self.head = head }
        if let fileOffset {
            offset = fileOffset
            isInFile = true
        }
        received += Int64(batch.length)
        if !isInFile {
            switch streaming {
            case nil: try hold(batch.chunks)
            case .delivering: step.parts = batch.chunks.map { .chunk($0) }
            case .holding(let validation): try holdBack(batch, validation, &step)
            }
        }
        if let upload {
            guard batch.bytesSent > upload.sent else { return step }
            self.upload?.sent = batch.bytesSent
            step.progress = ProgressResponse(completed: batch.bytesSent, total: upload.length)
        } else if !batch.chunks.isEmpty {
            step.progress = ProgressResponse(completed: units, total: expected)
        }
        return step
    }

    private mutating func hold(_ chunks: [Data]) throws {
        for chunk in chunks {
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        guard let limit, data.count > limit else { return }
        throw URLError(.dataLengthExceedsMaximum, "the response is larger than the limit of \(limit) bytes")
    }

    private mutating func holdBack(_ batch: TransportEvents, _ validation: ValidationType, _ step: inout Step) throws {
        guard let head else { return }
        for chunk in batch.chunks { data.append(chunk) }
        let isAccepted = validation.accepts(head.statusCode)
        guard data.count > Self.maximumHeld || isAccepted && head.statusCode < 400 else {
            step.heldBack = batch.length
            return
        }
        guard isAccepted else {
            step.isRefused = true
            return
        }
        streaming = .delivering
        step.parts = [.head(head)] + (data.isEmpty ? [] : [.chunk(data)])
        data = Data()
    }

    private func origin(of head: ResponseHead, _ sent: SentRequest?) -> Response.Origin {
        if let sample = head.sample { return .foundation(sample) }
        // The head of a sample that is a status code alone has no version.
        guard !head.version.isEmpty, let url = sent?.url else { return .none }
        return .server(head, url)
    }

    /// What has arrived so far, with an outcome.
    ///
    /// - Parameter sent: the request that the response belongs to.
    func result(for sent: SentRequest?, _ outcome: TransportOutcome) -> Result<Response, MoyaError> {
        let response = head.map { head in
            Response(
                statusCode: head.statusCode, data: data, sent: sent, origin: origin(of: head, sent),
                headers: head.headers, trailers: outcome.trailers,
                metrics: outcome.metrics == TransportMetrics() ? nil : outcome.metrics)
        }
        if let error = outcome.failure { return .failure(.underlying(error, response)) }
        guard let response else { return .failure(.underlying(URLError(.badServerResponse), nil)) }
        return .success(response)
    }
}
