import Foundation

enum CallStep: Sendable {
    case started
    case joined(call: UInt64)
    case sending(TransportRequest)
    case receiving(ResponseHead)
    case received(TransportOutcome)
    case retrying(after: Duration, MoyaError?)
    case ended(Result<Response, MoyaError>)
}

// Converts the reported steps of one call, from several threads, to events. Ignores steps after the end of the call or
// attempt. If the provider ends either during an exchange, the exchange's error is `URLError.cancelled`.
struct CallEventBuilder: Sendable {
    typealias PartialEvent = (kind: CallEvent.Kind, attempt: Int, exchange: Int)

    private var start = Duration.zero
    private var attempt = 0
    private var exchanges = 0
    private var current: (request: TransportRequest, start: Duration, head: ResponseHead?)?
    /// The end of an exchange that was cancelled, perhaps because of a deadline: the next step says why.
    private var cancelled: (outcome: TransportOutcome, time: Duration)?
    private var lastEndedAttempt = 0
    private var isEnded = false

    mutating func events(for step: CallStep, attempt number: Int, at time: Duration) -> [PartialEvent] {
        guard !isEnded, number == 0 || number > lastEndedAttempt else { return [] }
        switch step {
        case .started:
            start = time
            return [entry(.started)]
        case .joined(let call): return [entry(.joined(call: call))]
        case .sending(let request):
            let former = endExchange(at: time)
            attempt = number
            exchanges += 1
            current = (request, time, nil)
            return former + [entry(.sending(request))]
        case .receiving(let head):
            guard current != nil else { return [] }
            current?.head = head
            return [entry(.receiving(head))]
        case .received(let outcome):
            guard outcome.error?.code != .cancelled else {
                cancelled = (outcome, time)
                return []
            }
            return endExchange(at: time, outcome)
        case .retrying(let delay, let error):
            lastEndedAttempt = number
            return endExchange(at: time, after: error) + [entry(.retrying(after: delay, error: error))]
        case .ended(let result):
            isEnded = true
            return endExchange(at: time, after: result.failure)
                + [entry(.ended(result, duration: time - start))]
        }
    }

    private func entry(_ kind: CallEvent.Kind) -> PartialEvent {
        (kind, attempt, exchanges)
    }

    private mutating func endExchange(
        at time: Duration, _ outcome: TransportOutcome? = nil, after failure: MoyaError? = nil
    ) -> [PartialEvent] {
        let text = "The provider has ended the exchange."
        let cancelled = cancelled.take() ?? (TransportOutcome(error: URLError(.cancelled, text)), time)
        guard let exchange = current.take() else { return [] }
        var (ended, end) = outcome.map { ($0, time) } ?? cancelled
        if failure?.kind == .timeout {
            ended = TransportOutcome(error: URLError(.timedOut, text), metrics: ended.metrics)
        }
        let exchanged = CallEvent.Exchange(
            request: exchange.request, head: exchange.head, error: ended.error, metrics: ended.metrics,
            duration: end - exchange.start)
        return [entry(.exchanged(exchanged))]
    }
}
