import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How long the parts of a request may take.
///
/// The transport measures the time to connect, the provider's scheduler all other times.
public struct Timeouts: Sendable, Hashable {
    /// The most for name look-up, connection and TLS handshake, on transports that measure it; `nil`: no limit of its own.
    public var connect: Duration?
    /// The most between two batches of sent or received bytes; `nil`: no limit.
    ///
    /// A `timeoutInterval` that is set on the endpoint's request, by a request closure, a plugin or an interceptor, takes its
    /// place, 60 as well. A request that a request closure makes on its own has Foundation's 60 seconds.
    public var idle: Duration?
    /// The most for the whole exchange, or a stub's delay; `nil`: no limit.
    public var total: Duration?

    /// Timeouts; by default 15 seconds to connect, 60 seconds idle, and no limit for the whole exchange.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// These timeouts, with a request's `timeoutInterval` as the idle deadline, if it was set.
    func merging(interval: TimeInterval?) throws(MoyaError) -> Timeouts {
        guard let interval else { return self }
        guard interval.isFinite, interval > 0 else {
            throw .requestMapping("the timeout interval \(interval) is not a positive number of seconds")
        }
        var timeouts = self
        timeouts.idle = Duration(clampedSeconds: interval)
        return timeouts
    }

    /// The interval of an endpoint's request until another one is set: the number after 60, Foundation's default, so that 60
    /// itself can be set.
    static let unsetInterval = 60.0.nextUp
}
