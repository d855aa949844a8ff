import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One sending of a request: plugins, transport, deadlines, validation.
///
/// `willSend` and `didReceive` of the plugins are called in pairs. The execution receives one outcome.
final class Attempt: Sendable {
    /// The result of an attempt.
    struct Outcome: Sendable {
        let result: Result<Response, MoyaError>
        /// The bytes of which progress was reported in all.
        let units: Int64
        /// `nil` if nothing was sent.
        let sent: SentRequest?
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

    /// 1 for the first attempt, more for repetitions.
    let number: Int
    let execution: RequestExecution
    let reportsProgress: Bool
    let state: Locked<State>
    let download: DownloadFile?
    /// The scheduler's time of the last batch or acknowledgement, in nanoseconds.
    let lastActivity = Atomic<Int64>(0)
    /// The bytes that were delivered and not acknowledged.
    let unacknowledged = Atomic<Int>(0)

    init(_ number: Int, of execution: RequestExecution, reportsProgress: Bool) {
        self.number = number
        self.execution = execution
        self.reportsProgress = reportsProgress
        download = execution.context.endpoint.task.download.map {
            // A stub does not touch what an interrupted download has left.
            DownloadFile($0.destination, partialFile: execution.context.isStubbed ? nil : $0.partialFile)
        }
        state = Locked(
            State(
                accumulator: ResponseAccumulator(
                    streaming: execution.context.sink == nil ? nil : execution.context.validation,
                    limit: execution.context.sink == nil ? execution.context.maximumResponseSize : nil)))
    }

    func start(_ request: ResolvedRequest) {
        let prepared: PreparedRequest
        do throws(MoyaError) {
            prepared = try PreparedRequest(
                try execution.context.pipeline.prepare(
                    request, for: execution.context.target, execution.context.options), execution.context,
                resumption: download?.resumption(), wantsProgress: reportsProgress)
        } catch {
            return abandon(error)
        }
        let sent = RequestType(
            id: execution.id, attempt: number, sent: .resolved(prepared.request), body: prepared.outgoing.body)
        let isCancelled = state.withLock { state in
            if case .cancelledWhilePreparing = state.phase { return true }
            state.sent = sent
            state.accumulator.upload = prepared.upload
            return false
        }
        if isCancelled { return abandon(.cancelled) }
        let credential = execution.context.pipeline.credential(for: sent, execution.context.target)
        for plugin in execution.context.plugins { plugin.willSend(sent, target: execution.context.target) }
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
        execution.finish(Outcome(result: .failure(error), units: 0, sent: nil, isDelivered: false), of: self)
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
        if execution.context.isStubbed { return play(prepared.outgoing) }
        let receive: @Sendable (TransportEvents) -> Void
        if execution.context.deliversInBackground {
            let delivery = SerialDelivery<TransportEvents>(on: .deliveries) { self.handle($0) }
            let reportsUpload = prepared.upload != nil && reportsProgress
            receive = { [self] batch in
                noteActivity()
                if !batch.isSignOfLife || reportsUpload { delivery.post(batch) }
            }
        } else {
            receive = { [self] batch in
                noteActivity()
                handle(batch)
            }
        }
        let pipeline = execution.context.pipeline
        let policy = FollowUpPolicy(
            redirects: execution.context.options.redirects ?? pipeline.configuration.redirects,
            cookies: prepared.cookies,
            responder: ChallengeResponder(
                credential, for: prepared.outgoing.url, nonces: pipeline.nonces),
            resumed: prepared.isResumption ? download : nil)
        let exchange = FollowUpExchange(
            prepared.outgoing, on: pipeline.configuration.transport, policy: policy,
            willFollowUp: { [self] next in state.withLock { $0.lastRequest = next } },
            observe: execution.exchangeObserver(attempt: number), receive: receive)
        // Stored first: content that arrives while it is started is acknowledged.
        if store(exchange) { exchange.start() }
    }

    /// Starts a stub: its response is final, so nothing follows up on it.
    private func play(_ request: TransportRequest) {
        let exchange = StubExchange(request.delivery, on: execution.context.scheduler) { [self] in handle($0) }
        guard store(exchange) else { return }
        if case .delayed(let seconds) = execution.context.behavior {
            exchange.schedule(after: Duration(clampedSeconds: seconds)) { [self] in
                exchange.play(execution.context.endpoint.sampleResponseClosure())
            }
        } else {
            exchange.play(execution.context.endpoint.sampleResponseClosure())
        }
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
