/// The properties of a simulated network, see ``ThrottledTransport``.
///
/// ```swift
/// var conditions = NetworkConditions.threeG
/// conditions.loss = 0.01
/// ```
public struct NetworkConditions: Sendable, Hashable {
    /// The time from sending a byte to receiving the response of a server that responds immediately.
    public var roundTrip: Duration
    /// The bandwidth from the server, in bytes per second; `nil` for no limit.
    public var downstream: Int?
    /// The bandwidth to the server, in bytes per second; `nil` for no limit.
    public var upstream: Int?
    /// The probability, from 0 to 1, that a part of a request or response is lost on its way and must be sent again.
    ///
    /// Requests and responses are sent in parts of at most 16 KiB.
    public var loss: Double

    /// Creates network conditions; by default there is no delay, no bandwidth limit and no loss.
    public init(roundTrip: Duration = .zero, downstream: Int? = nil, upstream: Int? = nil, loss: Double = 0) {
        self.roundTrip = roundTrip
        self.downstream = downstream
        self.upstream = upstream
        self.loss = loss
    }

    /// An EDGE network: a round trip of 840 ms, 240 kbit/s down, 200 kbit/s up.
    public static let edge = NetworkConditions(roundTrip: .milliseconds(840), downstream: 30_000, upstream: 25_000)
    /// A 3G network: a round trip of 300 ms, 1.6 Mbit/s down, 768 kbit/s up.
    public static let threeG = NetworkConditions(roundTrip: .milliseconds(300), downstream: 200_000, upstream: 96_000)
    /// An LTE network: a round trip of 70 ms, 12 Mbit/s in both directions.
    public static let lte = NetworkConditions(roundTrip: .milliseconds(70), downstream: 1_500_000, upstream: 1_500_000)
    /// A network that transmits nothing: each exchange fails after 6.2 seconds.
    public static let unusable = NetworkConditions(loss: 1)
}
