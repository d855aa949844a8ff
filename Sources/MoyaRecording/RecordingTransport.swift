import Foundation
public import MoyaHTTP

/// A transport that records the exchanges of another transport.
///
/// A redirected or repeated request is a new exchange of the transport, so it has an entry of its own.
public struct RecordingTransport: Transport {
    package let transport: any Transport
    let recorder: HARRecorder

    /// The capabilities of the transport that sends the requests.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Sends the request and records the exchange.
    ///
    /// When the exchange has ended, its entry is added to the recorder before the outcome is delivered.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let record = ExchangeRecord(request, recorder)
        return transport.start(record.request) { batch in
            record.add(batch)
            receive(batch)
        }
    }
}

extension Transport {
    /// Returns a transport that records the exchanges of this transport.
    ///
    /// ```swift
    /// let recorder = HARRecorder()
    /// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().recording(recorder))
    /// ```
    /// The recording changes neither the events nor the content of exchanges. A streamed request body is recorded while
    /// it is sent. A request body in a file is read a second time, on the thread that delivers the outcome.
    ///
    /// - Parameter recorder: the recorder of the exchanges; several transports may share it.
    public func recording(_ recorder: HARRecorder) -> RecordingTransport {
        RecordingTransport(transport: self, recorder: recorder)
    }
}

private final class ExchangeRecord: Sendable {
    private struct State: Sendable {
        var head: ResponseHead?
        var headTime: Duration?
        /// The response's content and its chunks; empty if the content is longer than `largestBody`.
        var content = Data()
        var chunks: [HAR.Chunk] = []
        var bytes = 0
    }

    /// The request to send; if its body is a stream, the bytes are recorded as they are read.
    let request: TransportRequest
    private let recorder: HARRecorder
    private let id: Int
    private let start: Date
    private let startTime: Duration
    private let sent: RequestContentRecorder
    private let state = Locked(State())

    init(_ request: TransportRequest, _ recorder: HARRecorder) {
        let sent = RequestContentRecorder(request.body, limit: recorder.largestBody)
        var observed = request
        if let body = sent.observed { observed.body = body }
        self.request = observed
        self.sent = sent
        self.recorder = recorder
        id = recorder.begin()
        start = Date(timeIntervalSince1970: (recorder.now().timeIntervalSince1970 * 1000).rounded() / 1000)
        startTime = recorder.scheduler.now
    }

    /// Records a batch of events; called for one batch at a time.
    func add(_ batch: TransportEvents) {
        guard !batch.isProgressOnly else { return }
        let time = (recorder.scheduler.now - startTime).rounded
        let limit = recorder.largestBody
        state.withLock { state in
            if let head = batch.head {
                state.head = head
                state.headTime = time
            }
            state.bytes += batch.length
            if state.bytes > limit {
                (state.content, state.chunks) = (Data(), [])
            } else {
                for chunk in batch.chunks where !chunk.isEmpty {
                    state.chunks.append(HAR.Chunk(offset: state.content.count, time: time))
                    state.content += chunk
                }
            }
        }
        if let outcome = batch.outcome { finish(outcome, time) }
    }

    private func finish(_ outcome: TransportOutcome, _ time: Duration) {
        let state = state.withLock { $0 }
        var entry = HAR.Entry(
            start: start,
            request: HAR.Request(
                method: request.method, url: request.url.withoutFragment, headers: request.headers,
                content: sent.content(mimeType: request.headers["Content-Type"] ?? "")))
        entry.request.version = outcome.metrics.version ?? state.head?.version ?? ""
        entry.timings = HAR.Timings(outcome.metrics, head: state.headTime, total: time)
        if let error = outcome.failure {
            let code = (error as? URLError)?.code ?? .unknown
            entry.failure = HAR.Failure(code: code.rawValue, description: TransportError.unavailable(error).description)
        }
        if let head = state.head {
            let mimeType = head.headers["Content-Type"] ?? ""
            let isRecorded = state.bytes <= recorder.largestBody
            entry.response = HAR.Response(
                statusCode: head.statusCode, version: head.version, headers: head.headers,
                content: isRecorded
                    ? HAR.Content(state.content, mimeType: mimeType)
                    : HAR.Content(unrecorded: state.bytes, mimeType: mimeType))
            entry.response?.trailers = outcome.trailers
            if state.chunks.count > 1 { entry.response?.chunks = state.chunks }
        }
        recorder.add(entry, id: id)
    }
}

extension HAR.Timings {
    /// `head` and `total` run from the start of the exchange to the delivery of the head and the outcome.
    fileprivate init(_ metrics: TransportMetrics, head: Duration?, total: Duration) {
        let isNew = metrics.isReusedConnection != true
        let lookup = metrics.nameLookup ?? .zero
        let connected = max(metrics.secureConnect ?? metrics.connect ?? lookup, lookup)
        let firstByte = max(metrics.firstByte ?? head ?? total, isNew ? connected : .zero)
        dns = isNew ? metrics.nameLookup?.rounded : nil
        connect = isNew && metrics.connect != nil ? (connected - lookup).rounded : nil
        if isNew, let end = metrics.secureConnect, let start = metrics.connect { ssl = max(end - start, .zero).rounded }
        wait = max(firstByte - (dns ?? .zero) - (connect ?? .zero), .zero).rounded
        receive = max(max(metrics.total ?? total, total) - firstByte, .zero).rounded
    }
}

extension Duration {
    /// The duration, rounded to microseconds, as archives store it.
    fileprivate var rounded: Duration { .microseconds((nanoseconds + 500) / 1000) }
}

extension RecordingTransport: TransportDecorator {
    package func decorating(_ upgrade: any Transport) -> any Transport {
        RecordingTransport(transport: upgrade, recorder: recorder)
    }
}
