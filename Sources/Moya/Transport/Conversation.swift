import Foundation

/// An exchange that goes on with another request where the answer asks for one: a redirect, a challenge.
///
/// The receiver sees one exchange: the head and content that another request follows on are left out.
final class Conversation: TransportExchange {
    /// What follows on a response head.
    enum Step {
        /// It is the answer.
        case deliver
        /// Another request.
        case goOn(TransportRequest)
        /// It is the answer, and it is an error.
        case fail(URLError)
    }

    private struct State: Sendable {
        var request: TransportRequest
        var hop = 0
        /// While it runs: it holds its receiver, and so this.
        var exchange: (any TransportExchange)?
        var hasEnded = false
        var next: TransportRequest?
        var failure: URLError?
        /// The bytes of content that nobody wants.
        var drained = 0
        /// Given back before the exchange was known.
        var credit = 0
        var isCancelled = false
    }

    /// What is read of an answer that nobody wants, so that its connection can be used again.
    private static let mostDrained = 64 << 10

    private let transport: any Transport
    private let step: @Sendable (_ head: ResponseHead, _ request: TransportRequest) -> Step
    private let receive: @Sendable (TransportEvents) -> Void
    private let state: Guarded<State>

    /// - Parameter step: called once for each response head.
    init(
        _ request: TransportRequest, on transport: any Transport,
        step: @escaping @Sendable (_ head: ResponseHead, _ request: TransportRequest) -> Step,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        state = Guarded(State(request: request))
        self.transport = transport
        self.step = step
        self.receive = receive
    }

    /// The request that was sent last.
    var request: TransportRequest { state.withLock { $0.request } }

    /// Sends the request.
    func start() {
        let (request, hop) = state.withLock { ($0.request, $0.hop) }
        let exchange = transport.start(request) { [self] in take($0) }
        let (isCancelled, credit) = state.withLock { state in
            guard state.hop == hop, !state.hasEnded else { return (false, 0) }
            state.exchange = exchange
            defer { state.credit = 0 }
            return (state.isCancelled, state.credit)
        }
        if credit > 0 { exchange.consumed(credit) }
        if isCancelled { exchange.cancel() }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let exchange = state.withLock { state in
            state.isCancelled = true
            return state.exchange
        }
        exchange?.cancel()
    }

    func consumed(_ bytes: Int) {
        let exchange = state.withLock { state in
            if state.exchange == nil { state.credit += bytes }
            return state.exchange
        }
        exchange?.consumed(bytes)
    }

    private func take(_ events: TransportEvents) {
        var events = events
        if events.outcome != nil {
            let ended = state.withLock { state in
                state.hasEnded = true
                return state.exchange.take()
            }
            withExtendedLifetime(ended) {}
        }
        if let head = events.head {
            switch step(head, request) {
            case .deliver: break
            case .goOn(let next):
                // What came from the server or a credential must not break the message.
                let isSound = (try? next.headers.validate()) != nil
                state.withLock { state in
                    if isSound { state.next = next } else { state.failure = URLError(.badServerResponse) }
                }
            case .fail(let error): state.withLock { $0.failure = error }
            }
        }
        let length = events.length
        let (isWanted, failure, isEnough) = state.withLock { state in
            let isWanted = state.next == nil && state.failure == nil
            if !isWanted { state.drained += length }
            return (isWanted, state.failure, state.drained > Self.mostDrained)
        }
        if isWanted { return receive(events) }
        events.chunks = []
        if failure == nil { events.head = nil }
        if let outcome = events.outcome {
            if let failure {
                events.outcome = TransportOutcome(error: failure, metrics: outcome.metrics)
            } else if goOn() {
                return
            }
            return receive(events)
        }
        receive(events)
        if isEnough { state.withLock { $0.exchange }?.cancel() } else { consumed(length) }
    }

    /// Sends the next request, unless somebody has cancelled.
    private func goOn() -> Bool {
        let isOver = state.withLock { state in
            guard !state.isCancelled, let next = state.next else { return true }
            state.request = next
            state.next = nil
            state.hop += 1
            state.hasEnded = false
            state.drained = 0
            state.credit = 0
            return false
        }
        if isOver { return false }
        start()
        return true
    }
}
