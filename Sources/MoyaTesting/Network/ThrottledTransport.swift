public import Moya
public import MoyaScheduling

/// A transport that simulates a slow or lossy network between the client and another transport.
///
/// ```swift
/// let time = VirtualTime()
/// let stub = StubTransport { _ in .networkResponse(200, Data(count: 400_000)) }
/// let provider = MoyaProvider<GitHub>(transport: stub.throttled(to: .threeG, on: time), scheduler: time)
/// let user = time.record(provider.request(.avatar))
/// time.advance(by: .seconds(3))    // 300 ms, and 2 seconds for the content
/// ```
/// First, the content of the request is transmitted. Half of the round trip later, the other transport sends the
/// request. The response is transmitted after the other half of the round trip. Content is transmitted in parts of at
/// most 16 KiB, at the bandwidth of the direction. The head of a response takes no bandwidth. All exchanges of a
/// `ThrottledTransport` share the bandwidth: in each direction, one part is transmitted after the other.
///
/// A lost part is sent again after 200 ms; this delay doubles with each further loss of the part. After the fifth loss
/// of a part, the exchange fails with `URLError.networkConnectionLost`. The losses depend only on the seed and on the
/// order of the parts. In virtual time they are the same in each run of a test.
///
/// The scheduler measures all these times, and delivers the delayed events. A cancelled exchange ends immediately.
public final class ThrottledTransport: Transport {
    private struct LinkState: Sendable {
        var generator: SeededGenerator
        /// For each direction, the time at which the transmission of the next part can begin.
        var freeAt: [Direction: Duration] = [:]
    }

    enum Direction: Sendable {
        case up, down
    }

    enum TransmissionResult {
        /// The transmission of the part ends after this duration, which does not include the latency.
        case arrives(after: Duration)
        /// The part is lost too often, and the exchange fails after this duration.
        case isLost(after: Duration)
    }

    private let transport: any Transport
    private let conditions: NetworkConditions
    let scheduler: any Scheduler
    private let state: Locked<LinkState>

    fileprivate init(
        _ transport: any Transport, _ conditions: NetworkConditions, _ scheduler: any Scheduler, seed: UInt64
    ) {
        self.transport = transport
        self.conditions = conditions
        self.scheduler = scheduler
        state = Locked(LinkState(generator: SeededGenerator(seed: seed)))
    }

    /// The capabilities of the transport that sends the requests.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Starts an exchange over the simulated network.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = ThrottledExchange(request, on: self, transport, receive: receive)
        exchange.start()
        return exchange
    }

    var latency: Duration { conditions.roundTrip / 2 }

    func transmit(_ bytes: Int, _ direction: Direction) -> TransmissionResult {
        let now = scheduler.now
        return state.withLock { state in
            let bandwidth = direction == .up ? conditions.upstream : conditions.downstream
            let start = max(now, state.freeAt[direction] ?? .zero)
            let nanoseconds = bandwidth.map { Int64(bytes) * 1_000_000_000 / Int64(max($0, 1)) } ?? 0
            let length = Duration.nanoseconds(nanoseconds)
            state.freeAt[direction] = start + length
            var delay = Duration.milliseconds(200)
            var total = start + length - now
            for _ in 0..<Self.maximumLosses {
                guard conditions.loss > 0, Double.random(in: 0..<1, using: &state.generator) < conditions.loss else {
                    return .arrives(after: total)
                }
                total += delay
                delay *= 2
            }
            return .isLost(after: total)
        }
    }

    private static let maximumLosses = 5
}

extension Transport {
    /// Returns a transport that simulates a network with the given conditions, see ``ThrottledTransport``.
    ///
    /// - Parameters:
    ///   - conditions: the latency, the bandwidth and the loss.
    ///   - scheduler: the scheduler of the delays, such as a ``VirtualTime``.
    ///   - seed: determines which parts are lost.
    public func throttled(
        to conditions: NetworkConditions, on scheduler: any Scheduler, seed: UInt64 = 0
    ) -> ThrottledTransport {
        ThrottledTransport(self, conditions, scheduler, seed: seed)
    }
}
