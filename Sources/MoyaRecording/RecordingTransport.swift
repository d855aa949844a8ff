import Foundation
public import MoyaHTTP

/// A transport that records the exchanges of another transport.
public struct RecordingTransport: Transport, TransportDecorator {
    package var transport: any Transport
    let recorder: HARRecorder

    /// The capabilities of the transport that sends the requests.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Sends the request, and adds the exchange to the recorder before it delivers the outcome.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let recorder = recorder
        let start = Date(timeIntervalSince1970: (recorder.now().timeIntervalSince1970 * 1000).rounded() / 1000)
        let startTime = recorder.scheduler.now
        let sent = RequestContentRecorder(request.body, limit: recorder.largestBody)
        let response = Locked(RecordedResponse())
        var observed = request
        if let body = sent.observed { observed.body = body }
        let time = { @Sendable in (recorder.scheduler.now - startTime).rounded }
        let entry = { @Sendable (outcome: TransportOutcome, time: Duration) in
            let request = HAR.Request(
                method: request.method, url: request.url.withoutFragment, headers: request.headers,
                content: sent.content(mimeType: request.headers["Content-Type"] ?? ""))
            var entry = HAR.Entry(start: start, request: request)
            response.withLock { $0 }.finish(&entry, outcome, time, limit: recorder.largestBody)
            return entry
        }
        let id = recorder.begin { entry(TransportOutcome(error: URLError(.cancelled)), time()) }
        return transport.start(observed) { batch in
            let time = time()
            response.withLock { $0.add(batch, time, limit: recorder.largestBody) }
            if let outcome = batch.outcome { recorder.add(entry(outcome, time), id: id) }
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

private struct RecordedResponse: Sendable {
    private var head: ResponseHead?
    private var headTime: Duration?
    /// The response's content and its chunks; empty if the content is longer than the limit.
    private var content = Data()
    private var chunks: [HAR.Chunk] = []
    private var bytes = 0

    mutating func add(_ batch: TransportEvents, _ time: Duration, limit: Int) {
        if let head = batch.head {
            self.head = head
            headTime = time
        }
        bytes += batch.length
        if bytes > limit {
            (content, chunks) = (Data(), [])
        } else {
            for chunk in batch.chunks where !chunk.isEmpty {
                chunks.append(HAR.Chunk(offset: content.count, time: time))
                content += chunk
            }
        }
    }

    func finish(_ entry: inout HAR.Entry, _ outcome: TransportOutcome, _ time: Duration, limit: Int) {
        entry.request.version = outcome.metrics.version ?? head?.version ?? ""
        entry.timings = HAR.Timings(outcome.metrics, head: headTime, total: time)
        if let error = outcome.failure {
            let code = (error as? URLError)?.code ?? .unknown
            entry.failure = HAR.Failure(code: code.rawValue, description: TransportError.unavailable(error).description)
        }
        guard let head else { return }
        let mimeType = head.headers["Content-Type"] ?? ""
        entry.response = HAR.Response(
            statusCode: head.statusCode, version: head.version, headers: head.headers,
            content: bytes > limit
                ? HAR.Content(unrecorded: bytes, mimeType: mimeType) : HAR.Content(content, mimeType: mimeType))
        entry.response?.trailers = outcome.trailers
        if chunks.count > 1 { entry.response?.chunks = chunks }
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
