import Foundation

/// The time limits of a request.
///
/// ```swift
/// // A slow attempt is repeated after 5 seconds; the caller waits for 20 seconds at most.
/// let provider = MoyaProvider<GitHub>(
///     interceptors: [.retry(times: 3)], timeouts: Timeouts(attempt: .seconds(5), total: .seconds(20)))
/// ```
/// The transport measures the time to connect. The provider's scheduler measures all other times. A request that
/// exceeds a limit fails with an error of the kind `timeout`.
///
/// With the default scheduler, one timer serves all requests of a provider. A limit may then take effect late, by 5 %
/// and at most 100 milliseconds, and never early. With any other scheduler, limits are exact.
public struct Timeouts: Sendable, Hashable {
    /// The maximum time for name look-up, connection and TLS handshake; `nil`: no separate limit.
    ///
    /// The limit applies only with a transport that measures this time.
    public var connect: Duration?
    /// The maximum time between two batches of sent or received bytes; `nil`: no limit.
    ///
    /// Defaults to 60 seconds, but to no limit for event streams, which may be silent for hours. A value that you set
    /// applies to event streams, too: a stream that is silent for longer fails, or connects again if it is one that
    /// reconnects. Without a limit, only the transport can detect the loss of the server, see
    /// ``TransportCapabilities/keepAlive``.
    ///
    /// A response is an event stream if you receive it as it arrives and its type is `text/event-stream`. Until the
    /// head of the response arrives, the type that the request accepts counts, if there is only one.
    ///
    /// The samples of stubbed targets and endpoints have no such limit; those of a ``StubTransport`` do.
    ///
    /// If a request closure, a plugin or an interceptor sets the `timeoutInterval` of the request, that interval
    /// replaces this value. If a request closure creates a new `URLRequest`, the interval of that request replaces
    /// this value even if the closure does not set the interval: Foundation's default is 60 seconds.
    /// An interval of exactly 60 seconds does not apply to event streams.
    public var idle: Duration? = .seconds(60) {
        didSet { isIdleRequested = true }
    }
    /// Whether user code has set ``idle``, which then applies to event streams, too.
    private var isIdleRequested = false
    /// The maximum time for one attempt, from the start of its exchange, or of a stub's delay, to the end of the
    /// response; `nil`: no limit.
    ///
    /// Redirects and challenges belong to the attempt. An interceptor may repeat an attempt that exceeds this limit.
    public var attempt: Duration?
    /// The maximum time for the call, from `request` to its result; `nil`: no limit.
    ///
    /// The limit covers the request closure, the interceptors (including a token refresh), all attempts, and the
    /// delays between them. When it has passed, the request is not repeated.
    ///
    /// The time starts with each call, also with a call that joins an equal request in flight. If the time of one of
    /// several calls has passed, only this call fails; the exchange continues for the others.
    public var total: Duration?

    /// Creates timeouts with the default ``idle`` timeout; by default 15 seconds to connect, and no limit for an
    /// attempt or a call.
    public init(connect: Duration? = .seconds(15), attempt: Duration? = nil, total: Duration? = nil) {
        self.connect = connect
        self.attempt = attempt
        self.total = total
    }

    /// Creates timeouts with an ``idle`` timeout, which applies to event streams, too.
    public init(
        connect: Duration? = .seconds(15), idle: Duration?, attempt: Duration? = nil, total: Duration? = nil
    ) {
        self.init(connect: connect, attempt: attempt, total: total)
        self.idle = idle
        isIdleRequested = true
    }

    func eventStreamIdle(unset: Duration?) -> Duration? { isIdleRequested ? idle : unset }

    func merging(interval: TimeInterval?) throws(MoyaError) -> Timeouts {
        guard let interval else { return self }
        guard interval.isFinite, interval > 0 else {
            throw .requestMapping("the timeout interval \(interval) is not a positive number of seconds")
        }
        var timeouts = self
        timeouts.idle = Duration(clampedSeconds: interval)
        // Foundation sets 60 seconds itself if a request closure creates a `URLRequest`.
        if interval == 60 { timeouts.isIdleRequested = isIdleRequested }
        return timeouts
    }
}
