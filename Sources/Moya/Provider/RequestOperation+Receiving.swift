import Foundation
import Synchronization

/// Receives the events of an attempt's exchanges on the transport's thread, and follows redirects and challenges.
final class ExchangeReceiver: Sendable {
    private let operation: RequestOperation
    private let attempt: Int
    private let policy: FollowUpPolicy
    /// Brings the events to a background queue; `nil` if they are handled on the transport's thread.
    private let delivery: SerialDelivery<TransportEvents>?
    /// The number of exchanges that have ended.
    private let ended = Atomic<Int>(0)

    init(_ operation: RequestOperation, attempt: Int, _ policy: FollowUpPolicy) {
        self.operation = operation
        self.attempt = attempt
        self.policy = policy
        delivery =
            operation.deliversInBackground
            ? SerialDelivery(on: operation.context.deliveryScheduler) { operation.handle($0, attempt: attempt) } : nil
    }

    func start(_ request: TransportRequest, hop: Int) {
        // The request may have ended meanwhile.
        guard operation.state.withLock({ $0.withFollowUps(of: attempt) { !$0.isCancelled } == true }) else { return }
        operation.notify(.sending(request), attempt: attempt)
        let exchange = operation.context.configuration.transport.start(request) { [self] in receive($0) }
        // The whole response may have been delivered before `Transport.start` returned.
        guard ended.load(ordering: .acquiring) <= hop else { return }
        let (acknowledged, isCancelled) = operation.state.withLock {
            $0.withFollowUps(of: attempt) { $0.started(exchange, hop: hop) } ?? (0, true)
        }
        exchange.catchUp(acknowledged: acknowledged, isCancelled: isCancelled)
    }

    /// Handles a batch of events; calls do not overlap.
    private func receive(_ batch: TransportEvents) {
        operation.noteActivity()
        if let head = batch.head {
            operation.notify(.receiving(head), attempt: attempt)
            if !policy.ignores(head) { decide(on: head) }
        }
        if let outcome = batch.outcome {
            ended.wrappingAdd(1, ordering: .releasing)
            operation.notify(.received(outcome), attempt: attempt)
        }
        var ended: (any TransportExchange)?
        let action = operation.state.withLock {
            $0.withFollowUps(of: attempt) { $0.action(on: batch, ended: &ended) }
        }
        switch action {
        case nil: break
        case .deliver: deliver(batch)
        case .deliverFailure(let error, let head): deliver(batch.failed(with: error, head))
        case .acknowledge:
            if let head = batch.head { operation.watchIdle(of: head, isDiscarded: true) }
            deliver(batch.withoutResponse)
            let exchange = operation.state.withLock { $0.withFollowUps(of: attempt) { $0.acknowledge(batch.length) } }
            exchange?.acknowledge(batch.length)
        case .cancel(let exchange):
            deliver(batch.withoutResponse)
            exchange.cancel()
        case .send(let next, _, let hop): start(next, hop: hop)
        }
    }

    private func decide(on head: ResponseHead) {
        guard var decided = operation.state.withLock({ $0.withFollowUps(of: attempt) { $0 } }) else { return }
        if !decided.request.method.isSafe, head.statusCode < 400 { operation.stopSharing(decided.request.url) }
        decided.decide(on: head, by: policy)
        operation.state.withLock { _ = $0.withFollowUps(of: attempt) { $0.apply(decided) } }
    }

    private func deliver(_ batch: TransportEvents) {
        guard let delivery else { return operation.handle(batch, attempt: attempt) }
        if !batch.isProgressOnly || operation.reportsUpload { delivery.post(batch) }
    }
}

extension RequestState {
    /// Changes the exchanges of an attempt in their place; returns `nil` if another attempt is running.
    mutating func withFollowUps<Value>(of number: Int, _ body: (inout FollowUpState) -> Value?) -> Value? {
        attempt.number == number ? attempt.followUps?.changed(by: body) : nil
    }
}

extension FollowUpState {
    /// Changes this state in its place, also in an optional: a copy would retain each of its parts.
    mutating func changed<Value>(by body: (inout FollowUpState) -> Value?) -> Value? { body(&self) }
}

extension RequestOperation {
    var reportsUpload: Bool {
        state.withLock { $0.attempt.reportsProgress && $0.attempt.accumulator.upload != nil }
    }

    /// Handles a batch of transport events; must not be called concurrently.
    func handle(_ batch: TransportEvents, attempt number: Int) {
        if stream == nil, endpoint.task.download == nil { return handleWhole(batch, attempt: number) }
        guard let reportsProgress = state.withLock({ $0.beginBatch(number, batch.head) }) else { return }
        if let head = batch.head, batch.outcome == nil { watchIdle(of: head) }
        let (result, failure) = add(batch)
        // Acknowledges bytes that the accumulator holds back or a file stores, so that the transport continues to read.
        acknowledge(batch, heldBack: result.heldBack)
        for part in result.parts { deliver(part, attempt: number) }
        // If this batch contains the complete response, no progress is reported here, but at the end of the call.
        if !batch.isWhole, reportsProgress, let progress = result.progress { report(progress) }
        if let ended = state.withLock({ $0.endBatch() }) { return conclude(ended) }
        if let failure = failure as? URLError { return finish(.failure(.underlying(failure, nil)), attempt: number) }
        // With its response, an error of the file names the request.
        if let failure { return finish(TransportOutcome(failure: failure), attempt: number) }
        guard let outcome = result.isRefused ? TransportOutcome(error: nil) : batch.outcome else { return }
        finish(outcome, attempt: number)
    }

    private func handleWhole(_ batch: TransportEvents, attempt number: Int) {
        var exchange: (any TransportExchange)?
        var progress: ProgressResponse?
        let ended = state.withLock { $0.addWhole(batch, number, &progress, exchange: &exchange) }
        exchange?.cancel()
        if let ended = consume ended { return conclude(ended) }
        guard let progress else { return }
        report(progress)
        if let ended = state.withLock({ $0.endBatch() }) { conclude(ended) }
    }

    /// Writes downloaded content outside the lock, so that threads that read the state don't wait for the disk.
    private func add(_ batch: TransportEvents) -> (ResponseAccumulator.BatchResult, (any Error)?) {
        do {
            if batch.head?.statusCode == 206, endpoint.task.download != nil,
                state.withLock({ $0.attempt.followUps?.request.headers["Range"] }) == nil
            {
                throw URLError(.badServerResponse, "the server has sent a part of the file that was not requested")
            }
            let offset = try state.withLock { $0.attempt.download }?.store(batch)
            return (try state.withLock { try $0.attempt.accumulator.add(batch, fileOffset: offset) }, nil)
        } catch {
            return (ResponseAccumulator.BatchResult(), error)
        }
    }

    private func acknowledge(_ batch: TransportEvents, heldBack: Int) {
        let isDownload = endpoint.task.download != nil
        let bytes = isDownload ? batch.length : heldBack
        guard bytes > 0, isDownload || streamWindow != nil else { return }
        let exchange = state.withLock { state in
            if !isDownload { state.attempt.acknowledgedOnArrival += bytes }
            return state.attempt.followUps?.acknowledge(bytes) ?? nil
        }
        exchange?.acknowledge(bytes)
    }

    private func deliver(_ part: ResponsePart, attempt number: Int) {
        guard let receive = state.withLock({ $0.departure == nil ? $0.calls.beginReceive() : nil }) else { return }
        switch part {
        case .head(var head):
            head.sent = state.withLock { $0.attempt.lastSent() }.map(Boxed.init)
            receive(.head(head), nil)
        case .chunk(let data):
            guard let window = streamWindow else { return receive(part, nil) }
            let count = data.count
            state.withLock { $0.attempt.unacknowledged += count }
            guard stream?.window == nil else { return receive(part, nil) }
            // Each acknowledgement is a message, so send only larger ones; the transport resumes at half of the window.
            receive(part) { [self] in acknowledge(count, atOnceFrom: window / 4, attempt: number) }
        }
    }

    func acknowledge(_ bytes: Int) {
        guard bytes > 0, stream?.window != nil else { return }
        let number = state.withLock { $0.attempt.number }
        // There is no attempt 0: the request has ended.
        if number > 0 { acknowledge(bytes, atOnceFrom: 1, attempt: number) }
    }

    private func acknowledge(_ bytes: Int, atOnceFrom minimum: Int, attempt number: Int) {
        noteActivity()
        let (exchange, count) = state.withLock { state in
            state.attempt.number == number ? state.attempt.acknowledge(bytes, atOnceFrom: minimum) : (nil, 0)
        }
        exchange?.acknowledge(count)
    }

    func finish(_ outcome: TransportOutcome, attempt number: Int) {
        finish(state.withLock { $0.attempt.result(of: outcome) }, attempt: number)
    }

    /// Ends the attempt with a result, unless it has already ended; may be called on any thread.
    func finish(_ result: Result<Response, MoyaError>, attempt number: Int) {
        var exchange: (any TransportExchange)?
        var download: DownloadFile?
        let ended = state.withLock { state in
            if case .failure = result, state.mayComplete(number) { download = state.attempt.download }
            return state.complete(number, result, exchange: &exchange)
        }
        exchange?.cancel()
        if let ended = consume ended { conclude(ended) } else { download?.makeWay() }
    }

    /// Later calls do not join older requests for the URL of a change, nor for the URL that interceptors have replaced.
    func stopSharing(_ url: URL) {
        context.inFlight.stopSharing(url)
        if let original = state.withLock({ $0.request?.url }), original != url {
            context.inFlight.stopSharing(original)
        }
    }

    private func conclude(_ ended: consuming AttemptEnd) {
        if ended.sent?.method.isSafe == false, let response = try? ended.result.get(), response.statusCode < 400,
            let url = response.requestURL
        {
            stopSharing(url)
        }
        if case .success(let response) = ended.result, !validation.accepts(response.statusCode) {
            ended.result = .failure(.statusCode(response))
        }
        if case .failure(.underlying(let error as URLError, nil)) = ended.result, let sent = ended.sent {
            ended.result = .failure(.underlying(error.naming(sent), nil))
        }
        #if DEBUG
            hintAtCookies(ended.result)
        #endif
        if let download = ended.download { ended.result = download.settle(ended.result) }
        if let start = ended.start, let sent = ended.sent {
            var request = RequestType(id: id, attempt: ended.number, sent: sent, start: start)
            request.duration = scheduler.now - start
            for plugin in plugins { plugin.didReceive(ended.result, for: request, target: target) }
        }
        if ended.isDelivered || ended.isAbandoned { deliver(ended) } else { decide(ended) }
    }

    #if DEBUG
        private func hintAtCookies(_ result: Result<Response, MoyaError>) {
            guard !isStubbed, context.configuration.cookies == nil, case .success(let response) = result,
                response.headers["Set-Cookie"] != nil, let host = response.requestURL?.host()
            else { return }
            DebugHint.print(
                "the server \(host) sets cookies, which are not stored. Create the provider with cookies: CookieJar(), or "
                    + "ignore this hint.", about: "cookies of \(host)")
        }
    #endif

    /// Whether the request was cancelled in `didReceive` of a plugin, and is no download, which is in its place.
    private func isCancelledByPlugin(_ ended: AttemptEnd) -> Bool {
        if case .success(let response) = ended.result, response.fileURL != nil { return false }
        return state.withLock { if case .cancelled? = $0.departure { true } else { false } }
    }

    /// If no part of a streamed response was delivered, first delivers the whole response.
    func deliver(_ ended: AttemptEnd) {
        if ended.start != nil, !ended.isAbandoned, isCancelledByPlugin(ended) { return endAbandoned() }
        guard stream != nil, !ended.isDelivered, case .success(let response) = ended.result else {
            return end(ended.result, units: ended.units)
        }
        guard let receive = state.withLock({ $0.beginDelivery() }) else { return }
        receive(.head(ResponseHead(of: response)), nil)
        // The receiver may cancel.
        var isAbandoned: Bool { state.withLock { $0.departure != nil } }
        if !isAbandoned, !response.data.isEmpty { receive(.chunk(response.data), nil) }
        if isAbandoned { endAbandoned() } else { end(.success(response.withoutData()), units: ended.units) }
    }
}

extension TransportEvents {
    var isWhole: Bool { head != nil && outcome.map { $0.error == nil } == true }
}
