import Foundation

/// Plays sample responses in place of a server.
///
/// A provider sends the requests of stubbed targets to one. Use it yourself as the transport of a provider whose requests are to
/// pass through redirects, cookies and your own transports, as those to a server do:
///
/// ```swift
/// let transport = StubTransport { request in
///     request.url.path == "/zen" ? .networkResponse(200, Data("Keep it simple.".utf8)) : .networkResponse(404, Data())
/// }
/// let provider = MoyaProvider<GitHub>(transport: transport)
/// ```
/// Without a delay, the response is delivered before `start` returns, on the caller's thread; otherwise on the scheduler. The
/// content of the request is not read.
public struct StubTransport: Transport {
    private let delay: Duration?
    private let scheduler: any Scheduler
    private let sample: @Sendable (TransportRequest) -> EndpointSampleResponse

    /// A transport that plays samples.
    ///
    /// - Parameters:
    ///   - delay: how long after the request the response is delivered; `nil`: at once.
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

    /// None.
    public var capabilities: TransportCapabilities { [] }

    /// Delivers the sample response.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = StubExchange(request.delivery, on: scheduler, receive: receive)
        if let delay {
            exchange.schedule(after: delay) { [sample] in exchange.play(sample(request)) }
        } else {
            exchange.play(sample(request))
        }
        return exchange
    }
}

/// Plays one sample.
final class StubExchange: TransportExchange {
    private enum State {
        /// The next piece is due later.
        case waiting(SingleAssignmentCancellable)
        case playing
        case finished(isCancelled: Bool)
    }

    private let delivery: TransportRequest.Delivery
    private let scheduler: any Scheduler
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State.playing)

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
        let former = state.withLock { state in
            defer { if case .finished = state {} else { state = .finished(isCancelled: true) } }
            return state
        }
        switch former {
        case .waiting(let timer):
            timer.cancel()
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        // The thread that plays delivers the outcome.
        case .playing, .finished: break
        }
    }

    func consumed(_ bytes: Int) {}

    /// Calls `work` later, unless the exchange is cancelled before.
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let timer = SingleAssignmentCancellable()
        guard moves(to: .waiting(timer)) else { return deliverCancel() }
        timer.store(
            scheduler.schedule(after: delay) { [self] in
                if moves(to: .playing) { work() }
            })
    }

    func play(_ sample: EndpointSampleResponse) {
        switch sample {
        case .networkResponse(let statusCode, let data):
            finish(ResponseHead(sampleStatus: statusCode), data)
        case .response(let response, let data):
            finish(ResponseHead(sample: response), data)
        case .networkError(let error):
            deliver(TransportEvents(outcome: TransportOutcome(sampleError: error)))
        case .chunks(let statusCode, let chunks, let pause):
            let head = ResponseHead(sampleStatus: statusCode)
            play(head, chunks, from: 0, every: pause)
        }
    }

    /// Delivers the chunks from an index on, each after a pause; or, if the response is delivered as a whole, all at the end.
    private func play(_ head: ResponseHead, _ chunks: [Data], from index: Int, every pause: Duration) {
        if delivery == .whole {
            guard index < chunks.count else { return finish(head, chunks.reduce(Data(), +)) }
        } else {
            if index == 0 { receive(TransportEvents(head: head)) }
            guard index < chunks.count else {
                return deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
            }
        }
        schedule(after: pause) { [self] in
            receive(TransportEvents(chunks: delivery == .whole ? [] : [chunks[index]]))
            play(head, chunks, from: index + 1, every: pause)
        }
    }

    private func finish(_ head: ResponseHead, _ content: Data) {
        deliver(
            TransportEvents(
                head: head, chunks: content.isEmpty ? [] : [content], outcome: TransportOutcome(error: nil)))
    }

    /// Delivers the last batch.
    private func deliver(_ last: TransportEvents) {
        if moves(to: .finished(isCancelled: false)) { receive(last) } else { deliverCancel() }
    }

    private func deliverCancel() {
        receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
    }

    /// Returns whether the exchange was not cancelled before.
    private func moves(to next: State) -> Bool {
        state.withLock { state in
            if case .finished = state { return false }
            state = next
            return true
        }
    }
}

extension ResponseHead {
    /// The head of a sample of which the status code is all that is known: it has no version.
    fileprivate init(sampleStatus statusCode: Int) {
        self.init(statusCode: statusCode, version: "", headers: [:])
    }
}
