import Foundation

/// A step of an exchange with one server, which may be followed by another exchange.
package enum ExchangeStep: Sendable {
    case sending(TransportRequest)
    case receiving(ResponseHead)
    case received(TransportOutcome)
}

/// An exchange that follows redirects and responds to challenges with further requests.
///
/// It delivers the head and the content of the last response only.
package final class FollowUpExchange: TransportExchange {
    private enum ResponsePhase {
        /// The response is delivered to the receiver.
        case delivering
        /// Another request will be sent. Until then, the content of this response is read and discarded, so that the
        /// connection can be reused.
        case draining(next: TransportRequest, bytes: Int)
        /// The exchange fails with an error; the content of the response is discarded.
        case failing(URLError)
    }

    private struct State: Sendable {
        var request: TransportRequest
        var phase = ResponsePhase.delivering
        var counts = FollowUpPolicy.Counts()
        /// The number of requests that were sent before the current one.
        var hop = 0
        /// The exchange of the current request; `nil` before `Transport.start` returns, and after the outcome.
        var exchange: (any TransportExchange)?
        var hasOutcome = false
        /// The bytes that were acknowledged before `exchange` was set.
        var acknowledgements = AcknowledgementsBeforeStart()
        var isCancelled = false
    }

    /// The action to perform for a batch of events, after the lock of `state` is released.
    private enum Action {
        case deliver
        case deliverFailure(URLError, withHead: Bool)
        /// Discards and acknowledges the content of the batch; delivers the head only if `withHead` is `true`.
        case acknowledge(withHead: Bool)
        case cancel(any TransportExchange)
        case send(TransportRequest)
    }

    /// The maximum number of content bytes of a response that are discarded before the next request is sent.
    ///
    /// If the response has more content, its exchange is cancelled.
    private static let maximumDrained = 64 << 10

    private let transport: any Transport
    private let policy: FollowUpPolicy
    private let willFollowUp: (@Sendable (TransportRequest) -> Void)?
    private let observe: (@Sendable (ExchangeStep) -> Void)?
    private let receive: @Sendable (TransportEvents) -> Void
    private let state: Locked<State>

    /// Creates an exchange; ``start()`` sends its first request.
    ///
    /// - Parameters:
    ///   - policy: decides after each response head whether another request is sent.
    ///   - willFollowUp: receives each request after the first one, before the request is sent.
    ///   - observe: receives the requests, and the heads and outcomes of all responses.
    package init(
        _ request: TransportRequest, on transport: any Transport, policy: FollowUpPolicy,
        willFollowUp: (@Sendable (TransportRequest) -> Void)? = nil, observe: (@Sendable (ExchangeStep) -> Void)? = nil,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        var request = request
        request.cookieJar = policy.cookies
        state = Locked(State(request: request))
        self.transport = transport
        self.policy = policy
        self.willFollowUp = willFollowUp
        self.observe = observe
        self.receive = receive
    }

    package func start() {
        let (request, hop) = state.withLock { ($0.request, $0.hop) }
        observe?(.sending(request))
        let exchange = transport.start(request) { [self] in take($0) }
        let (isCancelled, acknowledgements) = state.withLock { state in
            // The whole response may have been delivered before `transport.start` returned. In this case, `exchange`
            // has ended and is not stored.
            guard state.hop == hop, !state.hasOutcome else { return (false, 0) }
            state.exchange = exchange
            return (state.isCancelled, state.acknowledgements.take())
        }
        exchange.catchUp(acknowledged: acknowledgements, isCancelled: isCancelled)
    }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    package func cancel() {
        let exchange = state.withLock { state in
            state.isCancelled = true
            return state.exchange
        }
        exchange?.cancel()
    }

    package func consumed(_ bytes: Int) {
        let exchange = state.withLock { state in
            if state.exchange == nil, !state.hasOutcome { state.acknowledgements.add(bytes) }
            return state.exchange
        }
        exchange?.consumed(bytes)
    }

    /// Handles a batch of events; calls do not overlap.
    private func take(_ batch: TransportEvents) {
        if let observe {
            if let head = batch.head { observe(.receiving(head)) }
            if let outcome = batch.outcome { observe(.received(outcome)) }
        }
        if let head = batch.head, !policy.ignores(head) { decide(on: head) }
        // The exchange and the request are released outside the lock, because user code may run in their `deinit`.
        let (action, exchange, request) =
            state.withLock { state in
                guard batch.outcome != nil else { return (Self.action(on: batch, &state), nil, nil) }
                state.hasOutcome = true
                let exchange = state.exchange.take()
                guard case .draining = state.phase else { return (Self.action(onLast: batch, &state), exchange, nil) }
                let request = state.request
                return (Self.action(onLast: batch, &state), exchange, request)
            } as (Action, (any TransportExchange)?, TransportRequest?)
        perform(action, batch)
        withExtendedLifetime((exchange, request)) {}
    }

    private func decide(on head: ResponseHead) {
        var (request, counts) = state.withLock { ($0.request, $0.counts) }
        let phase: ResponsePhase
        switch policy.decision(on: head, after: request, &counts) {
        case .deliver: return
        case .fail(let error): phase = .failing(error)
        case .send(var next):
            phase = next.validateAddedFields().map(ResponsePhase.failing) ?? .draining(next: next, bytes: 0)
        }
        state.withLock { state in
            state.phase = phase
            state.counts = counts
        }
    }

    private static func action(on batch: TransportEvents, _ state: inout State) -> Action {
        guard case .draining(let next, let bytes) = state.phase else {
            return if case .failing = state.phase { .acknowledge(withHead: true) } else { .deliver }
        }
        let drained = bytes + batch.length
        state.phase = .draining(next: next, bytes: drained)
        guard drained > maximumDrained, let exchange = state.exchange else { return .acknowledge(withHead: false) }
        return .cancel(exchange)
    }

    private static func action(onLast batch: TransportEvents, _ state: inout State) -> Action {
        switch state.phase {
        case .delivering: return .deliver
        case .failing(let error): return .deliverFailure(error, withHead: true)
        case .draining(let next, _):
            if state.isCancelled { return .deliverFailure(URLError(.cancelled), withHead: false) }
            state = State(request: next, counts: state.counts, hop: state.hop + 1)
            return .send(next)
        }
    }

    private func perform(_ action: Action, _ batch: TransportEvents) {
        switch action {
        case .deliver: receive(batch)
        case .deliverFailure(let error, let withHead):
            var rest = batch.withoutContent(withHead: withHead)
            rest.outcome = TransportOutcome(error: error, metrics: batch.outcome?.metrics ?? TransportMetrics())
            receive(rest)
        case .acknowledge(let withHead):
            receive(batch.withoutContent(withHead: withHead))
            consumed(batch.length)
        case .cancel(let exchange):
            receive(batch.withoutContent(withHead: false))
            exchange.cancel()
        case .send(let next):
            willFollowUp?(next)
            start()
        }
    }
}

extension TransportEvents {
    /// Returns the batch without its content; its head is kept only if `withHead` is `true`.
    fileprivate func withoutContent(withHead: Bool) -> TransportEvents {
        TransportEvents(head: withHead ? head : nil, bytesSent: bytesSent, outcome: outcome)
    }
}

extension TransportRequest {
    /// Validates a request with new header fields, and returns the error if it is invalid.
    ///
    /// An added field contains text from a credential, or from a cookie that the app has stored.
    mutating func validateAddedFields() -> URLError? {
        do throws(TransportError) {
            try validate()
            return nil
        } catch {
            return URLError(.userAuthenticationRequired, error.description)
        }
    }
}
