import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request once: calls the plugins, runs the transport, enforces the deadlines and validates the response.
///
/// Each plugin receives one `didReceive` after each `willSend`. The `RequestExecution` receives exactly one outcome.
final class Attempt: Sendable {
    /// The result of an attempt.
    struct Outcome: Sendable {
        let result: Result<Response, MoyaError>
        /// The number of bytes that were transferred, as ``ProgressResponse/completedUnitCount`` reports them.
        let units: Int64
        /// The request that was sent; `nil` if nothing was sent.
        let sent: TransportRequest?
        /// Whether a part of the response was delivered to the request's `StreamSink`.
        let isDelivered: Bool
        /// Whether the attempt was ended because no call waits for its outcome any more.
        let isAbandoned: Bool
    }

    struct State: Sendable {
        enum Phase {
            /// The plugins are preparing the request.
            case preparing
            case abandonedWhilePreparing(Departure)
            case running
        }

        var phase = Phase.preparing
        var completion = CompletionAfterCallback<Result<Response, MoyaError>>()
        var accumulator: ResponseAccumulator
        var sent: RequestType?
        /// The request that was sent after the last redirect or challenge; `nil` without redirects and challenges.
        var lastRequest: TransportRequest?
        var exchange: (any TransportExchange)?
        var isAbandoned = false
        /// The timer of ``Timeouts/attempt``.
        var limitTimer: (any Cancellable)?
        var idleTimer: (any Cancellable)?
        var timeouts = Timeouts()
        /// The maximum time without sent or received data, which `idleTimer` checks; `nil`: no limit.
        var idleTimeout: Duration?
        /// Whether the head of a streamed response has determined `idleTimeout`.
        var isIdleTimeoutFinal = false
        /// The `lastActivity` of the silence that was extended because of a late wake-up.
        var extendedSilence: Int64?
        /// The number of bytes that `accumulator` held back, so that the attempt itself acknowledged them on arrival.
        ///
        /// The receiver's later acknowledgement of these bytes is not passed on to the exchange.
        var acknowledgedOnArrival = 0
        /// The number of bytes that the receiver has processed, and that are not yet acknowledged to the exchange.
        var processed = 0
    }

    /// The ordinal number of the attempt, from 1.
    let number: Int
    let execution: RequestExecution
    let reportsProgress: Bool
    let state: Locked<State>
    let download: DownloadFile?
    /// The scheduler's time, in nanoseconds, of the last transport event or call of `consumed(_:)`.
    let lastActivity = Atomic<Int64>(0)
    /// The scheduler's time, in nanoseconds, at which `idleTimer` is due.
    let idleWakeUp = Atomic<Int64>(0)
    /// The number of delivered bytes that the receiver has not acknowledged yet.
    let unacknowledged = Atomic<Int>(0)

    init(_ number: Int, of execution: RequestExecution, reportsProgress: Bool) {
        self.number = number
        self.execution = execution
        self.reportsProgress = reportsProgress
        download = execution.endpoint.task.download.map {
            // A stub must not change the partial file of an interrupted download.
            DownloadFile($0.destination, partialFile: execution.isStubbed ? nil : $0.partialFile)
        }
        state = Locked(
            State(
                accumulator: ResponseAccumulator(
                    streaming: execution.sink == nil ? nil : execution.validation,
                    limit: execution.sink == nil ? execution.maximumResponseSize : nil)))
    }

    func start(_ request: TransportRequest) {
        let prepared: PreparedRequest
        do throws(MoyaError) {
            var request = request
            try execution.providerContext.prepare(&request, for: execution.target, execution.options)
            prepared = try PreparedRequest(
                request, of: execution, resumption: download?.resumption(), wantsProgress: reportsProgress)
        } catch {
            return endUnsent(error)
        }
        let sent = RequestType(
            id: execution.id, attempt: number, sent: prepared.request,
            start: execution.plugins.isEmpty ? nil : execution.scheduler.now)
        let departure = state.withLock { state -> Departure? in
            if case .abandonedWhilePreparing(let departure) = state.phase { return departure }
            state.sent = sent
            state.accumulator.upload = prepared.upload
            state.timeouts = prepared.timeouts
            return nil
        }
        if let departure { return endUnsent(departure.error(execution.target)) }
        let credential = execution.providerContext.credential(for: sent, execution.target)
        for plugin in execution.plugins { plugin.willSend(sent, target: execution.target) }
        run(prepared, credential)
    }

    /// Ends the attempt because its last call has left.
    func abandon(_ departure: Departure) {
        let isRunning = state.withLock { state in
            state.isAbandoned = true
            if case .running = state.phase { return true }
            if case .preparing = state.phase { state.phase = .abandonedWhilePreparing(departure) }
            return false
        }
        if isRunning { end(departure) }
    }

    private func end(_ departure: Departure) {
        switch departure {
        case .cancelled: finish(.failure(.cancelled))
        case .timedOut(let total): timeOut(Departure.reason(total))
        }
    }

    /// Ends the attempt before the request is sent: plugins receive neither `willSend` nor `didReceive`.
    private func endUnsent(_ error: MoyaError) {
        execution.finish(
            Outcome(result: .failure(error), units: 0, sent: nil, isDelivered: false, isAbandoned: false), of: self)
    }

    private func run(_ prepared: PreparedRequest, _ credential: URLCredential?) {
        let departure = state.withLock { state -> Departure? in
            defer { state.phase = .running }
            return if case .abandonedWhilePreparing(let departure) = state.phase { departure } else { nil }
        }
        if let departure { return end(departure) }
        if let limit = prepared.timeouts.attempt { watchLimit(limit) }
        let start = noteActivity()
        exchange(prepared, credential)
        // A stub needs no idle timer. Neither does an attempt that has already ended with a cached response.
        if !execution.isStubbed { watchIdle(for: prepared.request, from: start) }
    }

    /// Starts the exchange with the provider's transport; for a stub, delivers the sample response instead.
    private func exchange(_ prepared: PreparedRequest, _ credential: URLCredential?) {
        if execution.isStubbed { return play(prepared.request) }
        let receive: @Sendable (TransportEvents) -> Void
        if execution.deliversInBackground {
            let delivery = SerialDelivery<TransportEvents>(
                on: execution.providerContext.deliveryScheduler
            ) { self.handle($0) }
            let reportsUpload = prepared.upload != nil && reportsProgress
            receive = { [self] batch in
                noteActivity()
                if !batch.isProgressOnly || reportsUpload { delivery.post(batch) }
            }
        } else {
            receive = { [self] batch in
                noteActivity()
                handle(batch)
            }
        }
        let providerContext = execution.providerContext
        if prepared.request.isForCacheOnly,
            !providerContext.configuration.transport.capabilities.contains(.caching)
        {
            return finish(.failure(.underlying(URLError.notStored(prepared.request.url), nil)))
        }
        let policy = FollowUpPolicy(
            redirects: execution.options.redirects ?? providerContext.configuration.redirects,
            cookies: prepared.cookies,
            responder: ChallengeResponder(
                credential, for: prepared.request.url, nonces: providerContext.nonces),
            restartsDownload: prepared.isResumption ? download?.restarts : nil)
        let exchange = FollowUpExchange(
            prepared.request, on: providerContext.configuration.transport, policy: policy,
            willFollowUp: { [self] next in state.withLock { $0.lastRequest = next } },
            observe: execution.exchangeObserver(attempt: number), receive: receive)
        // Stores the exchange first, because content that arrives during `start` is acknowledged to `state.exchange`.
        if store(exchange) { providerContext.runOnVirtualClock { exchange.start() } }
    }

    /// Delivers the sample response of the endpoint instead of sending the request.
    ///
    /// If the sample response is a redirect or a challenge, no further request is made.
    private func play(_ request: TransportRequest) {
        let scheduler = execution.providerContext.configuration.scheduler
        let exchange = StubExchange(request.delivery, on: scheduler) { [self] in handle($0) }
        guard store(exchange) else { return }
        if case .delayed(let seconds) = execution.behavior {
            exchange.schedule(after: Duration(clampedSeconds: seconds)) { [self] in
                exchange.play(execution.endpoint.sampleResponseClosure())
            }
        } else {
            exchange.play(execution.endpoint.sampleResponseClosure())
        }
    }

    /// Stores the exchange until the end of the attempt; returns `false` if the attempt has already ended.
    ///
    /// The exchange retains the attempt. The end of the attempt breaks this reference cycle, so no exchange may be
    /// stored afterwards.
    private func store(_ exchange: any TransportExchange) -> Bool {
        state.withLock { state in
            guard !state.completion.isCompleted else { return false }
            state.exchange = exchange
            return true
        }
    }
}
