/// The properties of a simulated network, see ``ThrottledTransport``.
///
/// ```swift
/// var conditions = NetworkConditions.threeG
/// conditions.loss = 0.01
/// ```
public struct NetworkConditions: Sendable, Hashable {
    /// The time from sending a byte to receiving the response of a server that takes no time.
    public var roundTrip: Duration
    /// The bandwidth from the server, in bytes per second; `nil` for no limit.
    public var downstream: Int?
    /// The bandwidth to the server, in bytes per second; `nil` for no limit.
    public var upstream: Int?
    /// The probability, from 0 to 1, that a part of 16 KiB or less is lost on its way and sent again.
    public var loss: Double

    /// Creates conditions; by default those of a perfect network.
    public init(roundTrip: Duration = .zero, downstream: Int? = nil, upstream: Int? = nil, loss: Double = 0) {
        self.roundTrip = roundTrip
        self.downstream = downstream
        self.upstream = upstream
        self.loss = loss
    }

    /// 840 ms, 240 kbit/s down, 200 kbit/s up.
    public static let edge = NetworkConditions(roundTrip: .milliseconds(840), downstream: 30_000, upstream: 25_000)
    /// 300 ms, 1.6 Mbit/s down, 768 kbit/s up.
    public static let threeG = NetworkConditions(roundTrip: .milliseconds(300), downstream: 200_000, upstream: 96_000)
    /// 70 ms, 12 Mbit/s in both directions.
    public static let lte = NetworkConditions(roundTrip: .milliseconds(70), downstream: 1_500_000, upstream: 1_500_000)
    /// Every part is lost: after 6.2 seconds, each exchange fails.
    public static let unusable = NetworkConditions(loss: 1)
}
