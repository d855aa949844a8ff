import Foundation
import MoyaHTTP

/// Replies with a stored response, or sends one or more requests; `receive` gets only one response.
final class CachingExchange: TransportExchange {
    enum ActionAfterDraining: Sendable {
        case reply(StoredResponse, CacheStatus)
        /// The request is sent again, without validators.
        case send
    }

    enum Phase: Sendable {
        case lookingUp
        /// A response is being delivered. The server's is also stored if `State.pending` is not `nil`.
        case delivering
        case draining(ActionAfterDraining)
    }

    struct PendingWrite: Sendable {
        let head: ResponseHead
        let responseTime: Date
        let writer: any ContentWriter
        var bytes = 0
    }

    struct State: Sendable {
        var phase = Phase.delivering
        var reason = CacheStatus.ForwardReason.uriMiss
        /// The stored response that the current request validates, if any (RFC 9111, section 4.3).
        var validated: StoredResponse?
        /// The stored response that may be delivered instead of an error, if any (RFC 5861, section 4).
        var fallback: StoredResponse?
        var requestTime = Date.distantPast
        var writeID: UInt64?
        var pending: PendingWrite?
        var hasHead = false
        /// Increases with each request, and with its end.
        var epoch = 0
        /// The wrapped transport's exchange for the current request, `nil` until `start` returns and after the outcome;
        /// or the delivery of a stored response.
        var exchange: (any TransportExchange)?
        var acknowledgements = AcknowledgementsBeforeStart()
        var isCancelled = false
        var drainedBytes = 0
        var drainingTimer: (any Cancellable)?

        /// The maximum number of bytes of a response that are read and discarded; a longer response is cancelled.
        fileprivate static let maximumDrained = 64 << 10

        fileprivate var hasTooMuchToDrain: Bool { drainedBytes > Self.maximumDrained }
    }

    /// The maximum time to wait for a look-up on disk, after which the request is sent without a stored response.
    static let longestLookUp = Duration.milliseconds(500)

    let request: TransportRequest
    let owner: CachingTransport
    let keys: RequestCacheKeys
    let state = Locked(State(phase: .lookingUp))
    /// The form of a stored response that is delivered after a validation.
    private let replyForm: CacheReplyForm
    private let receive: @Sendable (TransportEvents) -> Void

    var cache: HTTPCache { owner.cache }

    init(
        _ request: TransportRequest, _ keys: RequestCacheKeys, on owner: CachingTransport,
        replyForm: CacheReplyForm = .complete, receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.request = request
        self.keys = keys
        self.owner = owner
        self.replyForm = replyForm
        self.receive = receive
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let (exchange, isLookingUp) = state.withLock { state in
            state.isCancelled = true
            guard case .lookingUp = state.phase else { return (state.exchange, false) }
            // The result of the look-up is then ignored.
            state.phase = .delivering
            return (nil, true)
        }
        exchange?.cancel()
        if isLookingUp { receive(.cancelled) }
    }

    func acknowledge(_ bytes: Int) {
        let exchange = state.withLock { state in
            if state.exchange == nil { state.acknowledgements.add(bytes) }
            return state.exchange
        }
        exchange?.acknowledge(bytes)
    }

    func lookUp() {
        guard request.method == .get || request.method == .head else { return decide([]) }
        let timer = SingleAssignmentCancellable()
        cache.store.lookUp(keys, for: request.headers) { [self] candidates in
            timer.cancel()
            decide(candidates)
        }
        guard !timer.isCancelled else { return }
        timer.store(owner.scheduler.schedule(after: Self.longestLookUp) { [self] in decide(nil) })
    }

    /// Does nothing if the look-up has already ended; `candidates` is `nil` if it took too long.
    private func decide(_ candidates: [StoredResponse]?) {
        let isFirst = state.withLock { state in
            guard case .lookingUp = state.phase else { return false }
            state.phase = .delivering
            return true
        }
        guard isFirst else { return }
        let decision = owner.decision(for: request, candidates ?? [])
        if candidates == nil, case .forward = decision { return send(request, .bypass) }
        perform(decision)
    }

    func perform(_ decision: CacheDecision) {
        switch decision {
        case .forward(let reason, let stored): send(request, reason, fallback: stored)
        case .validate(let stored, let request, let reason):
            send(request, reason, validating: stored, fallback: stored)
        case .unsatisfiable:
            if request.isForCacheOnly {
                return deliverInOneBatch(TransportEvents(outcome: TransportOutcome(error: .notStored(request.url))))
            }
            var head = ResponseHead(
                statusCode: 504, version: "HTTP/1.1", headers: ["Cache-Status": CacheStatus().description])
            head.origin = .cache(CacheStatus())
            deliverInOneBatch(TransportEvents(head: head, outcome: TransportOutcome(error: nil)))
        case .reply(let stored, let form, let freshness, let revalidates):
            deliver(owner.reply(with: stored, form, freshness), of: stored) { $0.hits += 1 }
            if revalidates { revalidate(stored) }
        }
    }

    func send(
        _ request: TransportRequest, _ reason: CacheStatus.ForwardReason, validating validated: StoredResponse? = nil,
        fallback: StoredResponse? = nil
    ) {
        cache.count { $0.forwards += 1 }
        let requestTime = owner.now()
        let writeID = request.method == .get ? cache.beginWrite(of: keys.own) : nil
        let epoch = state.withLock { state in
            state = State(
                reason: reason, validated: validated, fallback: fallback, requestTime: requestTime, writeID: writeID,
                epoch: state.epoch + 1, isCancelled: state.isCancelled)
            return state.epoch
        }
        let exchange = owner.transport.start(request) { [self] in take($0) }
        let (isCancelled, acknowledgements) = state.withLock { state in
            // Don't store an exchange that ended before `start` returned.
            guard state.epoch == epoch else { return (false, 0) }
            state.exchange = exchange
            return (state.isCancelled || state.hasTooMuchToDrain, state.acknowledgements.take())
        }
        exchange.catchUp(acknowledged: acknowledgements, isCancelled: isCancelled)
    }

    private func take(_ batch: TransportEvents) {
        var batch = batch
        if let head = batch.head { batch.head = received(head) }
        store(batch.chunks)
        if let outcome = batch.outcome {
            finish(batch, outcome)
        } else {
            deliver(batch)
        }
    }

    /// Delivers a batch that is not the last one; if the response is being discarded, only its upload progress.
    private func deliver(_ batch: TransportEvents) {
        let (isDraining, excess) = state.withLock { state -> (Bool, (any TransportExchange)?) in
            guard case .draining = state.phase else { return (false, nil) }
            state.drainedBytes += batch.length
            // Without an exchange, `send` cancels it.
            return (true, state.hasTooMuchToDrain ? state.exchange : nil)
        }
        guard isDraining else { return receive(batch) }
        receive(TransportEvents(bytesSent: batch.bytesSent))
        if batch.length > 0 { acknowledge(batch.length) }
        excess?.cancel()
    }

    /// Cancels the exchange if the content that is discarded has not ended after a second.
    func limitDraining() {
        let timer = owner.scheduler.schedule(after: .seconds(1)) { [self] in
            let exchange = state.withLock { state -> (any TransportExchange)? in
                guard case .draining = state.phase else { return nil }
                state.drainedBytes = State.maximumDrained + 1
                return state.exchange
            }
            exchange?.cancel()
        }
        state.withLock { $0.drainingTimer = timer }
    }

    private func finish(_ batch: TransportEvents, _ outcome: TransportOutcome) {
        let (ended, pending, former) = state.withLock { state in
            state.epoch += 1
            return (state.exchange.take(), state.pending.take(), state)
        }
        defer { withExtendedLifetime(ended) {} }
        former.drainingTimer?.cancel()
        finishWrite(pending, outcome, former)
        if former.isCancelled {
            guard case .draining = former.phase else { return receive(batch) }
            return receive(.cancelled)
        }
        switch former.phase {
        case .draining(.send): send(request, former.reason, fallback: nil)
        case .draining(.reply(let stored, let status)): reply(stored, status, metrics: outcome.metrics)
        case .delivering where outcome.failure != nil && !former.hasHead:
            guard let stored = former.fallback, allowsStale(stored) else { return receive(batch) }
            let status = CacheStatus(isFromCache: true, forwardReason: former.reason)
            reply(stored, status, metrics: outcome.metrics)
        case .delivering, .lookingUp: receive(batch)
        }
    }

    private func reply(_ stored: StoredResponse, _ status: CacheStatus, metrics: TransportMetrics) {
        let freshness = Freshness(of: stored, now: owner.now(), heuristic: owner.policy.heuristic)
        let reply = stored.reply(replyForm, age: freshness.age, status: status, metrics: metrics)
        deliver(reply, of: stored) { $0.validations += 1 }
    }

    /// Counts the delivery, unless the content turns out to be unreadable from its start.
    private func deliver(
        _ reply: CacheReply, of stored: StoredResponse, count: @escaping @Sendable (inout HTTPCache.Statistics) -> Void
    ) {
        if let chunks = reply.chunks(within: request.delivery) {
            cache.count(of: stored, count)
            return deliverInOneBatch(TransportEvents(head: reply.head, chunks: chunks, outcome: reply.outcome))
        }
        let delivery = StoredResponseDelivery(
            reply, delivery: request.delivery,
            receive: { [cache, receive] batch in
                if batch.head != nil { cache.count(of: stored, count) }
                receive(batch)
            },
            onUnreadable: { [cache] in cache.store.apply(.remove, to: stored) },
            // Sends the request, because the content of the stored response cannot be read.
            fallback: { [self] in perform(owner.decision(for: request, [])) })
        let isCancelled = state.withLock { state in
            state.phase = .delivering
            state.exchange = delivery
            return state.isCancelled
        }
        if isCancelled { delivery.cancel() } else { delivery.deliver() }
    }

    private func deliverInOneBatch(_ batch: TransportEvents) {
        let isCancelled = state.withLock { state in
            state.phase = .delivering
            return state.isCancelled
        }
        receive(isCancelled ? .cancelled : batch)
    }

    func allowsStale(_ stored: StoredResponse) -> Bool {
        let freshness = Freshness(of: stored, now: owner.now(), heuristic: owner.policy.heuristic)
        return CacheDecision.allowsStaleOnError(
            stored, for: request.headers, freshness, allowance: owner.policy.staleIfError?.timeInterval)
    }
}
