public import Moya
public import MoyaScheduling

/// A transport that simulates a slow or lossy network, and sends the requests with another transport.
///
/// ```swift
/// let time = VirtualTime()
/// let stub = StubTransport { _ in .networkResponse(200, Data(count: 400_000)) }
/// let provider = MoyaProvider<GitHub>(transport: stub.throttled(to: .threeG, on: time), scheduler: time)
/// let user = time.record(provider.request(.avatar))
/// time.advance(by: .seconds(3))    // 300 ms, and 2 seconds for the content
/// ```
/// The request reaches the other transport after half of the round trip and the time that its content takes; its response is
/// delivered after the other half, in parts of 16 KiB at most, with the time that they take. Heads take no bandwidth. The
/// exchanges of a transport share its bandwidth: their parts take turns.
///
/// A part that is lost is sent again after 200 ms, then after twice that time and so on; after the fifth loss in a row, the exchange
/// fails with `URLError.networkConnectionLost`. Losses depend on the seed and the order of the parts only, so that a test
/// in virtual time always has the same.
///
/// Times are those of the scheduler, which also runs the receivers. An exchange that is cancelled ends at once.
public final class ThrottledTransport: Transport {
    private struct State: Sendable {
        var generator: SeededGenerator
        /// When the parts that are on their way have been transmitted.
        var isFree: [Direction: Duration] = [:]
    }

    enum Direction: Sendable {
        case up, down
    }

    /// The fate of a part of the content.
    enum Transmission {
        /// It arrives after this time and the latency.
        case arrives(after: Duration)
        /// It is lost for good, which the sender knows after this time.
        case isLost(after: Duration)
    }

    private let transport: any Transport
    private let conditions: NetworkConditions
    let scheduler: any Scheduler
    private let state: Locked<State>

    fileprivate init(
        _ transport: any Transport, _ conditions: NetworkConditions, _ scheduler: any Scheduler, seed: UInt64
    ) {
        self.transport = transport
        self.conditions = conditions
        self.scheduler = scheduler
        state = Locked(State(generator: SeededGenerator(seed: seed)))
    }

    /// The capabilities of the other transport.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Starts an exchange.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = ThrottledExchange(request, on: self, transport, receive: receive)
        exchange.start()
        return exchange
    }

    /// The time of a part from one end to the other besides its transmission.
    var latency: Duration { conditions.roundTrip / 2 }

    /// Transmits a part; the next part of the same direction is transmitted after it.
    func transmit(_ bytes: Int, _ direction: Direction) -> Transmission {
        let now = scheduler.now
        return state.withLock { state in
            let bandwidth = direction == .up ? conditions.upstream : conditions.downstream
            let start = max(now, state.isFree[direction] ?? .zero)
            let nanoseconds = bandwidth.map { Int64(bytes) * 1_000_000_000 / Int64(max($0, 1)) } ?? 0
            let length = Duration.nanoseconds(nanoseconds)
            state.isFree[direction] = start + length
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
    ///   - scheduler: the clock, such as a ``VirtualTime``.
    ///   - seed: determines which parts are lost.
    public func throttled(
        to conditions: NetworkConditions, on scheduler: any Scheduler, seed: UInt64 = 0
    ) -> ThrottledTransport {
        ThrottledTransport(self, conditions, scheduler, seed: seed)
    }
}
