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
    /// replaces this value. If a request closure creates a new `URLRequest`, the interval of that request replaces
    /// this value even if the closure does not set the interval: Foundation's default is 60 seconds.
    public var idle: Duration?
    /// The maximum time for the whole exchange, or for a stub's delay; `nil`: no limit.
    public var total: Duration?

    /// Creates timeouts; by default 15 seconds to connect, 60 seconds idle, and no limit for the whole exchange.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// Returns these timeouts, with `interval` as the idle timeout unless `interval` is `nil`.
    ///
    /// - Parameter interval: the `timeoutInterval` of the request, in seconds; `nil` if no user code has set it.
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
    /// Foundation's default is 60 seconds. This value is the next larger `Double`, so that the provider can recognize
    /// an interval of exactly 60 seconds that user code has set.
    static let unsetInterval = 60.0.nextUp
}
