package import Foundation

// The state machine of an exchange that follows redirects and responds to challenges. Its owner holds the lock, and
// performs the actions after unlocking.
package struct FollowUpState: Sendable {
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
    /// Unless the response is delivered, its content is discarded, so that the connection can be reused.
    private var decision = FollowUpPolicy.Decision.deliver
    /// The number of bytes of content that were discarded.
    private var drained = 0
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
        return (acknowledgements.take(), isCancelled || drained > Self.maximumDrained)
    }

    package mutating func cancel() -> (any TransportExchange)? {
        isCancelled = true
        return exchange
    }

    package mutating func acknowledge(_ bytes: Int) -> (any TransportExchange)? {
        if exchange == nil, !hasOutcome { acknowledgements.add(bytes) }
        return exchange
    }

    /// Called on a copy outside the lock, because the policy stores cookies and may ask a download; see ``apply(_:)``.
    package mutating func decide(on head: ResponseHead, by policy: FollowUpPolicy) {
        decision = policy.decision(on: head, after: request, &counts)
    }

    package mutating func apply(_ decided: FollowUpState) {
        guard decided.hop == hop else { return }
        decision = decided.decision
        counts = decided.counts
    }

    // Batches come one at a time. `ended` receives a complete response's exchange, to be released outside the lock.
    package mutating func action(on batch: TransportEvents, ended: inout (any TransportExchange)?) -> Action {
        guard batch.outcome != nil else {
            if case .deliver = decision { return .deliver }
            drained += batch.length
            // Without an exchange, `started` cancels it.
            guard drained > Self.maximumDrained, let exchange else { return .acknowledge }
            return .cancel(exchange)
        }
        hasOutcome = true
        ended = exchange.take()
        switch decision {
        case .deliver: return .deliver
        case .fail(let error, let head): return .deliverFailure(error, head)
        case .send(let next):
            if isCancelled { return .deliverFailure(URLError(.cancelled), nil) }
            let former = request
            let (counts, hop) = (counts, hop + 1)
            self = FollowUpState(next)
            (self.counts, self.hop) = (counts, hop)
            return .send(next, former: former, hop: hop)
        }
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
