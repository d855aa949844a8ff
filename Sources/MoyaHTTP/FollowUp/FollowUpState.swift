package import Foundation

// The state machine of an exchange that follows redirects and responds to challenges. Its owner holds the lock, and
// performs the actions after unlocking.
package struct FollowUpState: Sendable {
    private enum Phase: Sendable {
        case delivering
        /// The content is read and discarded so that the connection can be reused; then another request is sent.
        /// Indirect, because the case is rare and the state is smaller that way.
        indirect case draining(next: TransportRequest, bytes: Int)
        /// The exchange fails with an error and the head of the response, whose content is read and discarded.
        indirect case failing(URLError, ResponseHead, bytes: Int)
    }

    package enum Action: Sendable {
        case deliver
        case deliverFailure(URLError, ResponseHead?)
        /// Discards and acknowledges the content of the batch.
        case acknowledge
        case cancel(any TransportExchange)
        /// Sends the request, which has replaced `former`; `former` is passed on to be released outside the lock.
        case send(TransportRequest, former: TransportRequest, hop: Int)
    }

    // In bytes. If a response has more content, its exchange is cancelled.
    private static let maximumDrained = 64 << 10

    package private(set) var request: TransportRequest
    private var phase = Phase.delivering
    private var counts = FollowUpPolicy.Counts()
    /// The number of requests that were sent before the current one.
    package private(set) var hop = 0
    /// The exchange of the current request; `nil` before `Transport.start` returns, and after the outcome.
    private var exchange: (any TransportExchange)?
    private var hasOutcome = false
    private var acknowledgements = AcknowledgementsBeforeStart()
    package private(set) var isCancelled = false

    package init(_ request: TransportRequest) {
        self.request = request
    }

    /// Returns what has happened before, for `catchUp(acknowledged:isCancelled:)`.
    package mutating func started(_ exchange: any TransportExchange, hop: Int) -> (acknowledged: Int, isCancelled: Bool)
    {
        // The whole response may have been delivered before `Transport.start` returned. The exchange has then ended.
        guard self.hop == hop, !hasOutcome else { return (0, false) }
        self.exchange = exchange
        return (acknowledgements.take(), isCancelled || hasTooMuchToDrain)
    }

    private var hasTooMuchToDrain: Bool {
        switch phase {
        case .delivering: false
        case .draining(_, let bytes), .failing(_, _, let bytes): bytes > Self.maximumDrained
        }
    }

    package mutating func cancel() -> (any TransportExchange)? {
        isCancelled = true
        return exchange
    }

    package mutating func acknowledge(_ bytes: Int) -> (any TransportExchange)? {
        if exchange == nil, !hasOutcome { acknowledgements.add(bytes) }
        return exchange
    }

    /// Not called under the lock, because the policy stores cookies and may ask a download.
    package static func decision(
        on head: ResponseHead, of state: FollowUpState, by policy: FollowUpPolicy
    ) -> FollowUpState {
        var state = state
        switch policy.decision(on: head, after: state.request, &state.counts) {
        case .deliver: break
        case .fail(let error): state.phase = .failing(error, head, bytes: 0)
        case .send(var next):
            let error = next.validateAddedFields()
            state.phase = error.map { .failing($0, head, bytes: 0) } ?? .draining(next: next, bytes: 0)
        }
        return state
    }

    package mutating func apply(_ decided: FollowUpState) {
        guard decided.hop == hop else { return }
        phase = decided.phase
        counts = decided.counts
    }

    // Batches come one at a time. `ended` receives a complete response's exchange, to be released outside the lock.
    package mutating func action(on batch: TransportEvents, ended: inout (any TransportExchange)?) -> Action {
        guard batch.outcome != nil else { return actionBeforeEnd(batch) }
        hasOutcome = true
        ended = exchange.take()
        switch phase {
        case .delivering: return .deliver
        case .failing(let error, let head, _): return .deliverFailure(error, head)
        case .draining(let next, _):
            if isCancelled { return .deliverFailure(URLError(.cancelled), nil) }
            let former = request
            let (counts, hop) = (counts, hop + 1)
            self = FollowUpState(next)
            (self.counts, self.hop) = (counts, hop)
            return .send(next, former: former, hop: hop)
        }
    }

    private mutating func actionBeforeEnd(_ batch: TransportEvents) -> Action {
        switch phase {
        case .delivering: return .deliver
        case .draining(let next, let bytes): phase = .draining(next: next, bytes: bytes + batch.length)
        case .failing(let error, let head, let bytes): phase = .failing(error, head, bytes: bytes + batch.length)
        }
        // Without an exchange, `started` cancels it.
        guard hasTooMuchToDrain, let exchange else { return .acknowledge }
        return .cancel(exchange)
    }
}

extension TransportEvents {
    package var withoutResponse: TransportEvents { TransportEvents(bytesSent: bytesSent, outcome: outcome) }

    package func failed(with error: URLError, _ head: ResponseHead?) -> TransportEvents {
        TransportEvents(
            head: head, bytesSent: bytesSent,
            outcome: TransportOutcome(error: error, metrics: outcome?.metrics ?? TransportMetrics()))
    }
}

extension TransportRequest {
    /// An added field contains text from a credential or an app's cookie, which may be invalid; returns the error.
    mutating func validateAddedFields() -> URLError? {
        do throws(TransportError) {
            try validate()
            return nil
        } catch {
            return URLError(.userAuthenticationRequired, error.description)
        }
    }
}
