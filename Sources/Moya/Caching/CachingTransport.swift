public import Foundation

/// A transport with a cache: it satisfies requests with stored responses where RFC 9111 allows it, and sends the others with another
/// transport.
///
/// Redirects, challenges, cookies and retries are above it, so that each request of a chain is looked up on its own. Content is
/// delivered while it is stored. A response is stored when it is complete: not after a cancel or an error.
public struct CachingTransport: Transport {
    let transport: any Transport
    let cache: HTTPCache
    let policy: CachingPolicy
    let scheduler: any Scheduler
    let now: @Sendable () -> Date

    /// Those of the other transport.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Satisfies the request from the cache, or sends it.
    ///
    /// With a cache in memory, a stored response is delivered on the calling thread, before the method returns; with one on disk,
    /// on a queue of the cache. If a look-up on disk takes half a second, the request is sent.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = CachingExchange(request, on: self, receive: receive)
        exchange.start()
        return exchange
    }
}

extension Transport {
    /// Returns a transport that satisfies requests from a cache where that is allowed (RFC 9111), and sends the others with
    /// this one.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().caching(in: HTTPCache()))
    /// ```
    /// Implements RFC 5861 (`stale-while-revalidate`, `stale-if-error`), RFC 8246 (`immutable`) and RFC 9211 (`Cache-Status`,
    /// see ``Response/cacheStatus``). A range is satisfied from a complete stored response; partial content is not stored.
    ///
    /// - Parameters:
    ///   - cache: stores the responses; may be shared by several transports.
    ///   - policy: what HTTP leaves to a cache.
    ///   - scheduler: measures how long a look-up on disk takes, and cancels a revalidation in the background after a minute.
    ///   - now: the time of day; called on the threads that send and receive.
    public func caching(
        in cache: HTTPCache, policy: CachingPolicy = CachingPolicy(), scheduler: any Scheduler = .background,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> CachingTransport {
        CachingTransport(transport: self, cache: cache, policy: policy, scheduler: scheduler, now: now)
    }
}
