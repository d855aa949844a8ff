import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How long the parts of a request may take.
///
/// Measured on the provider's scheduler, but for connecting.
public struct Timeouts: Sendable, Hashable {
    /// Name look-up, connection and TLS handshake, where the transport can tell; nil: no limit of its own.
    public var connect: Duration?
    /// From one sign of life of the exchange to the next; nil: no limit.
    ///
    /// A `timeoutInterval` that is set on the endpoint's request, by a request closure, a plugin or an interceptor, takes its
    /// place, 60 as well. A request that a request closure makes on its own has Foundation's 60 seconds.
    public var idle: Duration?
    /// The whole exchange, or a stub's delay; nil: no limit.
    public var total: Duration?

    /// 15 seconds to connect, 60 without a sign of life, no limit in all.
    public init(connect: Duration? = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// These, with the idle deadline that the request's `timeoutInterval` asks for, if that was set.
    func merging(_ request: URLRequest) throws(MoyaError) -> Timeouts {
        let interval = request.timeoutInterval
        guard interval != Self.unsetInterval else { return self }
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
