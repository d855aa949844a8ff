public import Foundation

/// A transport with a cache: satisfies requests with stored responses if RFC 9111 allows it, and sends the others with
/// another transport.
///
/// Redirects, challenges, cookies and retries are handled above it, so that each request of a chain of redirects is
/// looked up separately. Content is delivered while it is stored. A response is stored only when it is complete, and
/// not after a cancel or an error.
public struct CachingTransport: Transport {
    let transport: any Transport
    let cache: HTTPCache
    let policy: CachingPolicy
    let scheduler: any Scheduler
    let now: @Sendable () -> Date

    /// The capabilities of the other transport.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Satisfies the request from the cache, or sends it.
    ///
    /// A cache in memory delivers a stored response on the calling thread, before the method returns. A cache on disk delivers
    /// it on its queue. If a look-up on disk takes longer than half a second, the request is sent.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = CachingExchange(request, on: self, receive: receive)
        exchange.start()
        return exchange
    }
}

extension Transport {
    /// Returns a transport that satisfies requests from a cache if that is allowed (RFC 9111), and sends the others
    /// with this one.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().caching(in: HTTPCache()))
    /// ```
    /// The transport implements RFC 5861 (`stale-while-revalidate`, `stale-if-error`), RFC 8246 (`immutable`) and RFC
    /// 9211 (`Cache-Status`, see ``Response/cacheStatus``). A range is satisfied from a complete stored response;
    /// partial content is not stored.
    ///
    /// - Parameters:
    ///   - cache: the cache, which several transports may share.
    ///   - policy: the settings that RFC 9111 leaves open.
    ///   - scheduler: the clock of two limits: half a second for a look-up on disk, and 60 seconds for a revalidation in the
    ///     background.
    ///   - now: returns the current date; called on the threads that send and receive.
    public func caching(
        in cache: HTTPCache, policy: CachingPolicy = CachingPolicy(), scheduler: any Scheduler = .background,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> CachingTransport {
        CachingTransport(transport: self, cache: cache, policy: policy, scheduler: scheduler, now: now)
    }
}
