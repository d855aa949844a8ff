import Foundation

struct ResponseAccumulator: Sendable {
    struct UploadProgress: Sendable {
        let length: Int64?
        var sent: Int64 = 0

        init?(of body: RequestBody) {
            if case .none = body { return nil }
            length = (try? body.length()) ?? nil
        }
    }

    struct BatchResult: Sendable {
        var progress: ProgressResponse?
        var parts: [ResponsePart] = []
        /// The number of bytes of the batch that are held back and therefore not in `parts`.
        var heldBack = 0
        /// Whether the attempt must end, because the validation refuses a response of more than `maximumHeld` bytes.
        var isRefused = false
    }

    /// The maximum number of bytes that are held back; a response with more content is delivered or refused.
    private static let maximumHeld = 64 << 10

    /// The progress of the upload; `nil` if the progress of the response is reported instead.
    var upload: UploadProgress?
    /// The received content, except bytes that were delivered or written to a file.
    private var data = Data()
    /// The validation of a streamed response, which may still refuse it; `nil` if it is delivered when complete.
    private let validation: ValidationType?
    /// Whether the bytes of a streamed response are delivered as they arrive, and not held back any more.
    private(set) var isDelivering = false
    /// The maximum size of `data`, in bytes; `nil`: no limit.
    private let limit: Int?
    var head: ResponseHead?
    /// The size of the file before this response, in bytes; `nil` unless the content is written to a file.
    private var fileOffset: Int64?
    private var received: Int64 = 0

    // If `validation` is `nil`, the response is delivered only when complete. `limit` is in bytes; `nil`: no limit.
    init(streaming validation: ValidationType? = nil, limit: Int? = nil) {
        self.validation = validation
        self.limit = limit
    }

    /// The number of bytes that progress reports: sent bytes for an upload, otherwise those in the file and received.
    var units: Int64 { upload?.sent ?? (fileOffset ?? 0) + received }

    /// The length of the whole content, if the server has declared it and the content is not compressed.
    private var expected: Int64? {
        guard let head, head.headers["Content-Encoding"] == nil, let length = head.headers["Content-Length"] else {
            return nil
        }
        return Int64(length).flatMap { $0 >= 0 ? (fileOffset ?? 0).adding($0) : nil }
    }

    // Doesn't keep content that is written to a file; `fileOffset` is the file's size before the response that this
    // batch begins. Throws `URLError.dataLengthExceedsMaximum` if the content in memory exceeds the limit.
    mutating func add(_ batch: TransportEvents, fileOffset: Int64?) throws -> BatchResult {
        var result = BatchResult()
        if let head = batch.head { self.head = head }
        if let fileOffset { self.fileOffset = fileOffset }
        received += Int64(batch.length)
        if self.fileOffset == nil {
            if isDelivering {
                result.parts = batch.chunks.map { .chunk($0) }
            } else if let validation {
                holdBack(batch, validation, &result)
            } else {
                try hold(batch.chunks)
            }
        }
        let hasProgress = upload.map { batch.bytesSent > $0.sent } ?? !batch.chunks.isEmpty
        guard hasProgress else { return result }
        upload?.sent = batch.bytesSent
        result.progress = ProgressResponse(
            response: nil, completedUnitCount: units, totalUnitCount: upload.map(\.length) ?? expected)
        return result
    }

    private mutating func hold(_ chunks: [Data]) throws {
        for chunk in chunks {
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
        guard let limit, data.count > limit else { return }
        throw URLError.tooLarge(limit: limit)
    }

    private mutating func holdBack(
        _ batch: TransportEvents, _ validation: ValidationType, _ result: inout BatchResult
    ) {
        guard let head else { return }
        // A redirect that cannot be followed arrives with its error, and is no response.
        let isFailedRedirect = head.statusCode / 100 == 3 && batch.outcome?.failure != nil
        let isAccepted = validation.accepts(head.statusCode) && !isFailedRedirect
        let isDecided = data.count + batch.length > Self.maximumHeld || isAccepted && head.statusCode < 400
        guard isDecided, isAccepted else {
            for chunk in batch.chunks { data.append(chunk.prefix(max(Self.maximumHeld - data.count, 0))) }
            if isDecided { result.isRefused = true } else { result.heldBack = batch.length }
            return
        }
        isDelivering = true
        result.parts = [.head(head)] + ([data] + batch.chunks).filter { !$0.isEmpty }.map { .chunk($0) }
        data = Data()
    }

    func result(for sent: consuming TransportRequest?, _ outcome: TransportOutcome) -> Result<Response, MoyaError> {
        guard let head else {
            let error = outcome.failure ?? URLError(.badServerResponse)
            return .failure(error as? MoyaError ?? .underlying(error, nil))
        }
        let response = Response(
            Response.Content(
                head: head, data: data, sent: sent, trailers: outcome.trailers,
                metrics: outcome.metrics == TransportMetrics() ? nil : outcome.metrics))
        guard let error = outcome.failure else { return .success(response) }
        return .failure(error as? MoyaError ?? .underlying(error, response))
    }
}
