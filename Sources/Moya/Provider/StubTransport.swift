import Foundation

/// A transport that delivers sample responses instead of sending requests.
///
/// A provider delivers the sample responses of stubbed targets without this type. Use this type as the transport of a
/// provider to test redirects, cookies, and transports that wrap another transport:
///
/// ```swift
/// let transport = StubTransport { request in
///     request.url.path == "/zen" ? .networkResponse(200, Data("Keep it simple.".utf8)) : .networkResponse(404, Data())
/// }
/// let provider = MoyaProvider<GitHub>(transport: transport)
/// ```
/// Without a delay, the response is delivered on the caller's thread, before `start` returns. With a delay, it is
/// delivered on the scheduler. The chunks of ``EndpointSampleResponse/chunks(_:_:every:)`` are always delivered on the
/// scheduler. The content of the request is not read. A response to HEAD has no content, as that of a server.
public struct StubTransport: Transport {
    private let delay: Duration?
    private let scheduler: any Scheduler
    private let sample: @Sendable (TransportRequest) -> EndpointSampleResponse

    /// Creates a transport that delivers sample responses.
    ///
    /// - Parameters:
    ///   - delay: the time between request and response; `nil` to deliver the response before `start` returns.
    ///   - scheduler: the clock of the delay, and of the pauses of ``EndpointSampleResponse/chunks(_:_:every:)``.
    ///   - sample: returns the response to a request; called when the response is due.
    public init(
        after delay: Duration? = nil, on scheduler: any Scheduler = .background,
        sample: @escaping @Sendable (TransportRequest) -> EndpointSampleResponse
    ) {
        self.delay = delay
        self.scheduler = scheduler
        self.sample = sample
    }

    /// The empty set: a stub has no capabilities.
    public var capabilities: TransportCapabilities { [] }

    /// Delivers the sample response to a request, after the delay.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = StubExchange(request.delivery, on: scheduler, receive: receive)
        exchange.schedule(after: delay) { exchange.play(sample(request), hasContent: request.method != .head) }
        return exchange
    }
}

final class StubExchange: TransportExchange {
    private enum State {
        /// The response, or its next chunk, is delivered when the timer expires.
        case waiting(SingleAssignmentCancellable)
        case delivering
        case finished(isCancelled: Bool)
    }

    private let delivery: TransportRequest.Delivery
    private let scheduler: any Scheduler
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State.delivering)

    init(
        _ delivery: TransportRequest.Delivery, on scheduler: any Scheduler,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.delivery = delivery
        self.scheduler = scheduler
        self.receive = receive
    }

    var isCancelled: Bool {
        state.withLock { if case .finished(isCancelled: true) = $0 { true } else { false } }
    }

    func cancel() {
        // In the state `delivering`, the delivering thread notices the cancellation and delivers the error `cancelled`.
        if case .waiting(let timer) = transition(to: .finished(isCancelled: true)) {
            timer.cancel()
            receive(.cancelled)
        }
    }

    func acknowledge(_ bytes: Int) {}

    /// Calls `work` at once, or after a delay, unless the exchange is cancelled before.
    func schedule(after delay: Duration?, _ work: @escaping @Sendable () -> Void) {
        guard let delay else { return work() }
        let timer = SingleAssignmentCancellable()
        guard transition(to: .waiting(timer)) != nil else { return receive(.cancelled) }
        timer.store(
            scheduler.schedule(after: delay) { [self] in
                if transition(to: .delivering) != nil { work() }
            })
    }

    func play(_ sample: EndpointSampleResponse, hasContent: Bool = true) {
        func finish(_ head: ResponseHead, _ content: Data) { self.finish(head, hasContent ? content : Data()) }
        switch sample {
        case .networkResponse(let statusCode, let data):
            finish(ResponseHead(unversioned: statusCode), data)
        case .response(let response, let data):
            let headers = HTTPHeaders(response)
            var head = ResponseHead(statusCode: response.statusCode, version: "HTTP/1.1", headers: headers)
            head.origin = .stub(response)
            finish(head, data)
        case .status(let statusCode, let headers, let data):
            finish(ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: headers), data)
        case .networkError(let error):
            deliverLast(TransportEvents(outcome: TransportOutcome(failure: error)))
        case .chunks(let statusCode, let chunks, let pause):
            let head = ResponseHead(unversioned: statusCode)
            deliver(head, hasContent ? chunks : [], from: 0, every: pause)
        }
    }

    /// If `delivery` is `.whole`, delivers all chunks after the last pause.
    private func deliver(_ head: ResponseHead, _ chunks: [Data], from index: Int, every pause: Duration) {
        if delivery == .whole {
            guard index < chunks.count else { return finish(head, chunks.reduce(Data(), +)) }
        } else {
            if index == 0 { receive(TransportEvents(head: head)) }
            guard index < chunks.count else {
                return deliverLast(TransportEvents(outcome: TransportOutcome(error: nil)))
            }
        }
        schedule(after: pause) { [self] in
            receive(TransportEvents(chunks: delivery == .whole ? [] : [chunks[index]]))
            deliver(head, chunks, from: index + 1, every: pause)
        }
    }

    private func finish(_ head: ResponseHead, _ content: Data) {
        deliverLast(
            TransportEvents(
                head: head, chunks: content.isEmpty ? [] : [content], outcome: TransportOutcome(error: nil)))
    }

    private func deliverLast(_ last: TransportEvents) {
        receive(transition(to: .finished(isCancelled: false)) == nil ? .cancelled : last)
    }

    /// Returns the former state, to be released outside the lock, or `nil` if the exchange is over.
    private func transition(to next: State) -> State? {
        state.withLock { state in
            if case .finished = state { return nil }
            return exchange(&state, with: next)
        }
    }
}
