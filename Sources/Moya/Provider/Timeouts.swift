import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The time limits of a request.
///
/// The transport measures the time to connect. The provider's scheduler measures all other times.
public struct Timeouts: Sendable, Hashable {
    /// The maximum time for name look-up, connection and TLS handshake; `nil`: no separate limit.
    ///
    /// The limit applies only with a transport that measures this time.
    public var connect: Duration?
    /// The maximum time between two batches of sent or received bytes; `nil`: no limit.
    ///
    /// If a request closure, a plugin or an interceptor sets the `timeoutInterval` of the request, that interval
    /// replaces this value. The interval of a `URLRequest` that a request closure creates itself always replaces this
    /// value: Foundation sets the interval to 60 seconds unless the closure sets another interval.
    public var idle: Duration?
    /// The maximum time for the whole exchange, or for a stub's delay; `nil`: no limit.
    public var total: Duration?

    /// Creates timeouts; by default 15 seconds to connect, 60 seconds idle, and no limit for the whole exchange.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// Returns these timeouts, with a request's `timeoutInterval` as the idle timeout if it was set.
    func merging(interval: TimeInterval?) throws(MoyaError) -> Timeouts {
        guard let interval else { return self }
        guard interval.isFinite, interval > 0 else {
            throw .requestMapping("the timeout interval \(interval) is not a positive number of seconds")
        }
        var timeouts = self
        timeouts.idle = Duration(clampedSeconds: interval)
        return timeouts
    }

    /// The `timeoutInterval` of a `URLRequest` that the provider creates, until user code sets another interval.
    ///
    /// The value is the next `Double` after 60, Foundation's default. An interval of exactly 60 seconds therefore comes
    /// from user code.
    static let unsetInterval = 60.0.nextUp
}
