import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One sending of a request: plugins, transport, deadlines, validation.
///
/// `willSend` and `didReceive` of the plugins are called in pairs, and `completion` exactly once.
final class Attempt: Sendable {
    /// The result of an attempt.
    struct Outcome: Sendable {
        let result: Result<Response, MoyaError>
        /// The bytes of which progress was reported in all.
        let units: Int64
        /// `nil` if nothing was sent.
        let sent: SentRequest?
        let number: Int
        /// Whether parts of the response were delivered.
        let isDelivered: Bool
    }

    struct State: Sendable {
        enum Phase {
            /// The plugins prepare the request.
            case preparing
            case cancelledWhilePreparing
            case running
        }

        var phase = Phase.preparing
        var completion = DeferredCompletion<Result<Response, MoyaError>>()
        var accumulator: ResponseAccumulator
        var sent: RequestType?
        /// The request that followed on the one that was sent first.
        var lastRequest: TransportRequest?
        var exchange: (any TransportExchange)?
        var totalTimer: (any Cancellable)?
        var idleTimer: (any Cancellable)?
        /// The bytes that were acknowledged while they were held back, and that the receiver will acknowledge again.
        var acknowledged = 0
    }

    private let id: UInt64
    private let number: Int
    let context: RequestContext
    private let progress: (@Sendable (ProgressResponse) -> Void)?
    private let completion: @Sendable (Outcome) -> Void
    let state: Guarded<State>
    let download: DownloadFile?
    /// The scheduler's time of the last batch or acknowledgement, in nanoseconds.
    let lastActivity = Atomic<Int64>(0)
    /// The bytes that were delivered and not acknowledged.
    let unacknowledged = Atomic<Int>(0)

    init(
        id: UInt64, number: Int, context: RequestContext, progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        self.id = id
        self.number = number
        self.context = context
        self.progress = progress
        self.completion = completion
        download = context.endpoint.task.download.map {
            // A stub does not touch what an interrupted download has left.
            DownloadFile($0.destination, partialFile: context.isStubbed ? nil : $0.partialFile)
        }
        state = Guarded(
            State(
                accumulator: ResponseAccumulator(
                    streaming: context.sink == nil ? nil : context.validation,
                    limit: context.sink == nil ? context.maximumResponseSize : nil)))
    }

    func start(_ request: ResolvedRequest) {
        let prepared: PreparedRequest
        do throws(MoyaError) {
            prepared = try PreparedRequest(
                try context.pipeline.prepare(request, for: context.target), context,
                resumption: download?.resumption(), wantsProgress: progress != nil)
        } catch {
            return abandon(error)
        }
        let sent = RequestType(
            id: id, attempt: number, sent: SentRequest(prepared.request), body: prepared.outgoing.body)
        let isCancelled = state.withLock { state in
            if case .cancelledWhilePreparing = state.phase { return true }
            state.sent = sent
            state.accumulator.upload = prepared.upload
            return false
        }
        if isCancelled { return abandon(.cancelled) }
        let credential = context.pipeline.credential(for: sent.sent, context.target)
        for plugin in context.plugins { plugin.willSend(sent, target: context.target) }
        run(prepared, credential)
    }

    func cancel() {
        let isRunning = state.withLock { state in
            if case .running = state.phase { return true }
            state.phase = .cancelledWhilePreparing
            return false
        }
        if isRunning { finish(.failure(.cancelled)) }
    }

    /// Ends before anything was sent: plugins do not see the request.
    private func abandon(_ error: MoyaError) {
        completion(Outcome(result: .failure(error), units: 0, sent: nil, number: number, isDelivered: false))
    }

    private func run(_ prepared: PreparedRequest, _ credential: URLCredential?) {
        let isCancelled = state.withLock { state in
            defer { state.phase = .running }
            return if case .cancelledWhilePreparing = state.phase { true } else { false }
        }
        if isCancelled { return finish(.failure(.cancelled)) }
        watch(prepared.timeouts)
        exchange(prepared, credential)
    }

    /// Starts the exchange on the chain of transports.
    private func exchange(_ prepared: PreparedRequest, _ credential: URLCredential?) {
        let delivery =
            context.deliversInBackground ? SerialDelivery<TransportEvents>(on: .deliveries) { self.handle($0) } : nil
        let reportsUpload = prepared.upload != nil && progress != nil
        let receive: @Sendable (TransportEvents) -> Void = { [self] batch in
            noteActivity()
            guard !batch.isSignOfLife || reportsUpload else { return }
            if let delivery { delivery.post(batch) } else { handle(batch) }
        }
        let configuration = context.pipeline.configuration
        if context.isStubbed {
            let exchange = StubTransport(
                context.behavior, on: context.scheduler, context.endpoint.sampleResponseClosure
            ).start(prepared.outgoing, receive: receive)
            return store(exchange) ? () : exchange.cancel()
        }
        let policy = FollowUpPolicy(
            redirects: context.target.options.redirects ?? configuration.redirects, cookies: prepared.cookies,
            responder: ChallengeResponder(
                credential, for: prepared.outgoing.url, nonces: context.pipeline.nonces),
            resumed: prepared.isResumption ? download : nil)
        let exchange = FollowUpExchange(
            prepared.outgoing, on: configuration.transport, policy: policy,
            willFollowUp: { [self] next in state.withLock { $0.lastRequest = next } }, receive: receive)
        // Stored first: content that arrives while it is started is acknowledged.
        if store(exchange) { exchange.start() }
    }

    /// Returns `false` after the end, when nothing would release the exchange, which retains this attempt.
    private func store(_ exchange: any TransportExchange) -> Bool {
        state.withLock { state in
            guard !state.completion.isCompleted else { return false }
            state.exchange = exchange
            return true
        }
    }
}

// MARK: The response

extension Attempt {
    /// Called for one batch at a time.
    private func handle(_ batch: TransportEvents) {
        guard state.withLock({ $0.completion.beginCall() }) else { return }
        let (step, failure) = add(batch)
        // Bytes in the file, and those that are held back, reach no receiver that could acknowledge them.
        acknowledge(batch, heldBack: step.heldBack)
        for part in step.parts { deliver(part) }
        // For a response that arrives in one batch, the last progress, which has the response, says it all.
        let isWhole = batch.head != nil && batch.outcome.map { $0.error == nil } == true
        if !isWhole, let progress, let report = step.progress { progress(report) }
        if let deferred = state.withLock({ $0.completion.endCall() }) { return conclude(deferred) }
        if let failure { return finish(.failure(.underlying(failure, nil))) }
        guard let outcome = step.isRefused ? TransportOutcome(error: nil) : batch.outcome else { return }
        finish(outcome)
    }

    /// The file is written under no lock: other threads that look at the response must not wait for the disk.
    private func add(_ batch: TransportEvents) -> (ResponseAccumulator.Step, (any Error)?) {
        do {
            let offset = try download?.store(batch)
            return (try state.withLock { try $0.accumulator.add(batch, fileOffset: offset) }, nil)
        } catch {
            return (ResponseAccumulator.Step(), error)
        }
    }

    private func acknowledge(_ batch: TransportEvents, heldBack: Int) {
        let bytes = download == nil ? heldBack : batch.length
        guard bytes > 0, download != nil || context.sink?.window != nil else { return }
        let exchange = state.withLock { state in
            if download == nil { state.acknowledged += bytes }
            return state.exchange
        }
        exchange?.consumed(bytes)
    }

    private func deliver(_ part: ResponsePart) {
        if case .chunk(let data) = part, context.sink?.window != nil {
            unacknowledged.wrappingAdd(data.count, ordering: .relaxed)
        }
        context.sink?.receive(part)
    }

    /// The receiver of parts has handled this many bytes.
    func consumed(_ bytes: Int) {
        unacknowledged.wrappingSubtract(bytes, ordering: .relaxed)
        noteActivity()
        let (exchange, new) = state.withLock { state in
            let known = min(max(bytes, 0), state.acknowledged)
            state.acknowledged -= known
            return (state.exchange, bytes - known)
        }
        if new > 0 { exchange?.consumed(new) }
    }

    /// Ends with what has arrived so far.
    func finish(_ outcome: TransportOutcome) {
        let (accumulator, sent, last) = state.withLock { ($0.accumulator, $0.sent?.sent, $0.lastRequest) }
        finish(accumulator.result(for: last.flatMap { sent?.followed(by: $0) } ?? sent, outcome))
    }

    /// Called from several threads; the first result counts.
    func finish(_ result: Result<Response, MoyaError>) {
        let (completion, exchange, totalTimer, idleTimer) = state.withLock { state in
            (
                state.completion.complete(result), state.exchange.take(), state.totalTimer.take(),
                state.idleTimer.take()
            )
        }
        exchange?.cancel()
        totalTimer?.cancel()
        idleTimer?.cancel()
        if case .deliver = completion { conclude(result) }
    }

    private func conclude(_ result: Result<Response, MoyaError>) {
        let validated = result.flatMap { response -> Result<Response, MoyaError> in
            context.validation.accepts(response.statusCode) ? .success(response) : .failure(.statusCode(response))
        }
        let settled = download?.settle(validated) ?? validated
        let (sent, units, isDelivered) = state.withLock { ($0.sent, $0.accumulator.units, $0.accumulator.isDelivering) }
        if let sent {
            for plugin in context.plugins { plugin.didReceive(settled, for: sent, target: context.target) }
        }
        completion(
            Outcome(result: settled, units: units, sent: sent?.sent, number: number, isDelivered: isDelivered))
    }
}

extension StubTransport {
    fileprivate init(
        _ behavior: StubBehavior, on scheduler: any Scheduler, _ sample: @escaping Endpoint.SampleResponseClosure
    ) {
        let delay: Duration? =
            if case .delayed(let seconds) = behavior { Duration(clampedSeconds: seconds) } else { nil }
        self.init(after: delay, on: scheduler) { _ in sample() }
    }
}
