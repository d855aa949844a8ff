import Foundation
import Moya

/// An exchange of a ``ReplayTransport``: it replays a recorded response, or sends and records the request.
final class ReplayExchange: TransportExchange {
    private enum Phase: Sendable {
        /// The content of the request is being read; the collector is `nil` if the body is not streamed.
        case reading(RequestBodyCollector?)
        case starting
        case running(any TransportExchange)
        case cancelled
    }

    private struct State: Sendable {
        var phase = Phase.reading(nil)
        var isCancelled = false
        var acknowledgements = AcknowledgementsBeforeStart()
    }

    private let request: TransportRequest
    private let owner: ReplayTransport
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State())

    init(
        _ request: TransportRequest, _ owner: ReplayTransport, receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.request = request
        self.owner = owner
        self.receive = receive
    }

    var isCancelled: Bool {
        let (phase, isCancelled) = state.withLock { ($0.phase, $0.isCancelled) }
        return if case .running(let exchange) = phase { exchange.isCancelled } else { isCancelled }
    }

    func cancel() {
        let former = state.withLock { state in
            defer {
                state.isCancelled = true
                if case .reading = state.phase { state.phase = .cancelled }
            }
            return state.phase
        }
        switch former {
        case .reading(let collector):
            if let collector { Task(executorPreference: collector.clock) { await collector.cancel() } }
            receive(.cancelled)
        case .running(let exchange): exchange.cancel()
        case .starting, .cancelled: break
        }
    }

    func acknowledge(_ bytes: Int) {
        let exchange = state.withLock { state -> (any TransportExchange)? in
            if case .running(let exchange) = state.phase { return exchange }
            state.acknowledgements.add(bytes)
            return nil
        }
        exchange?.acknowledge(bytes)
    }

    func start() {
        switch request.body {
        case .none: proceed(nil)
        case .data(let data): proceed(HAR.Content(data))
        case .file(let file):
            proceed((try? Data(contentsOf: file)).map { HAR.Content($0) } ?? HAR.Content(unrecorded: 0))
        case .stream:
            let collector = RequestBodyCollector { [self] result in
                switch result {
                case .success(let data): proceed(HAR.Content(data))
                case .failure(let error): fail(URLError.unreadableContent(error))
                }
            }
            state.withLock { if case .reading = $0.phase { $0.phase = .reading(collector) } }
            Task(executorPreference: collector.clock) { [request] in await collector.start(request.body) }
        }
    }

    /// Ends the reading of the request; returns `false` if it has already ended.
    private func endReading() -> Bool {
        state.withLock { state in
            guard case .reading = state.phase else { return false }
            state.phase = .starting
            return true
        }
    }

    private func proceed(_ content: HAR.Content?) {
        guard endReading() else { return }
        switch owner.decide(request, content) {
        case .replay(let entry): replay(entry, bytesSent: Int64(content?.size ?? 0))
        case .record(let transport): run(transport.start(sendable(content), receive: receive))
        case .fail(let error): end(error)
        }
    }

    private func fail(_ error: any Error) {
        if endReading() { end(error) }
    }

    private func end(_ error: any Error) {
        run(EndedExchange())
        receive(TransportEvents(outcome: TransportOutcome(failure: error)))
    }

    private func replay(_ entry: HAR.Entry, bytesSent: Int64) {
        let (scheduler, scale) = owner.timing
        let steps = ReplayDelivery.steps(of: entry, for: request, bytesSent: bytesSent, scale: scale)
        let delivery = ReplayDelivery(steps, delivery: request.delivery, on: scheduler, receive: receive)
        run(delivery)
        delivery.deliver()
    }

    /// Returns the request with the content that was already read, because a stream may provide its content only once.
    private func sendable(_ content: HAR.Content?) -> TransportRequest {
        guard case .stream(let length, _) = request.body, let data = content?.data else { return request }
        let body = RequestBody.stream(length: length) { try RequestBody.data(data).open(resume: $0) }
        var sendable = request
        sendable.body = body
        return sendable
    }

    private func run(_ exchange: any TransportExchange) {
        let (isCancelled, acknowledgements) = state.withLock { state in
            state.phase = .running(exchange)
            return (state.isCancelled, state.acknowledgements.take())
        }
        exchange.catchUp(acknowledged: acknowledgements, isCancelled: isCancelled)
    }
}
