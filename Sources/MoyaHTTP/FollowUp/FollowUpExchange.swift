/// An exchange of a ``FollowUpTransport``, which delivers the head and the content of the last response only.
final class FollowUpExchange: TransportExchange {
    private let transport: any Transport
    private let policy: FollowUpPolicy
    private let receive: @Sendable (TransportEvents) -> Void
    private let state: Locked<FollowUpState>

    init(
        _ request: TransportRequest, on transport: any Transport, policy: FollowUpPolicy,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        state = Locked(FollowUpState(request))
        self.transport = transport
        self.policy = policy
        self.receive = receive
    }

    func start() {
        let (request, hop) = state.withLock { ($0.request, $0.hop) }
        let exchange = transport.start(request) { [self] in take($0) }
        let (acknowledged, isCancelled) = state.withLock { $0.started(exchange, hop: hop) }
        exchange.catchUp(acknowledged: acknowledged, isCancelled: isCancelled)
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() { state.withLock { $0.cancel() }?.cancel() }

    func acknowledge(_ bytes: Int) { state.withLock { $0.acknowledge(bytes) }?.acknowledge(bytes) }

    private func take(_ batch: TransportEvents) {
        if let head = batch.head, !policy.ignores(head) {
            var decided = state.withLock { $0 }
            decided.decide(on: head, by: policy)
            state.withLock { $0.apply(decided) }
        }
        var ended: (any TransportExchange)?
        let action = state.withLock { $0.action(on: batch, ended: &ended) }
        switch action {
        case .deliver: receive(batch)
        case .deliverFailure(let error, let head): receive(batch.failed(with: error, head))
        case .acknowledge:
            receive(batch.withoutResponse)
            acknowledge(batch.length)
        case .cancel(let exchange):
            receive(batch.withoutResponse)
            exchange.cancel()
        case .send: start()
        }
        withExtendedLifetime(ended) {}
    }
}
