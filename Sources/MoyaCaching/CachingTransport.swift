public import Foundation
public import MoyaHTTP

/// A transport that satisfies requests from a cache if RFC 9111 allows it, and sends all others with another transport.
///
/// The cache looks up each request of a chain of redirects separately. Content is delivered while it is being stored.
/// An incomplete response, for example after a cancel or an error, is not stored.
public struct CachingTransport: Transport, TransportDecorator {
    package var transport: any Transport
    let cache: HTTPCache
    let policy: CachingPolicy
    let scheduler: any Scheduler
    let now: @Sendable () -> Date

    /// The capabilities of the transport that sends the requests, and `TransportCapabilities.caching`.
    public var capabilities: TransportCapabilities { transport.capabilities.union(.caching) }

    /// Satisfies the request from the cache, or sends it.
    ///
    /// A cache in memory delivers a stored response on the calling thread, before the method returns; a cache on disk,
    /// on a queue of the cache. If a look-up on disk takes longer than half a second, the request is sent.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let keys = cache.keys(for: request, policy)
        let decision = cache.store.storedResponses(for: keys).map { self.decision(for: request, $0) }
        if case .reply(let stored, let form, let freshness, revalidates: false) = decision {
            let reply = reply(with: stored, form, freshness)
            if let chunks = reply.chunks(within: request.delivery) {
                cache.count(of: stored) { $0.hits += 1 }
                receive(TransportEvents(head: reply.head, chunks: chunks, outcome: reply.outcome))
                return EndedExchange()
            }
        }
        let exchange = CachingExchange(request, keys, on: self, receive: receive)
        if let decision { exchange.perform(decision) } else { exchange.lookUp() }
        return exchange
    }

    package func decorating(_ upgrade: any Transport) -> any Transport { upgrade }

    func decision(for request: TransportRequest, _ candidates: [StoredResponse]) -> CacheDecision {
        CacheDecision.make(for: request, candidates: candidates, heuristic: policy.heuristic, now: now())
    }

    func reply(with stored: StoredResponse, _ form: CacheReplyForm, _ freshness: Freshness) -> CacheReply {
        let status = CacheStatus(isHit: true, timeToLive: Int(clamping: freshness.lifetime - freshness.age))
        return stored.reply(form, age: freshness.age, status: status)
    }
}

extension Transport {
    /// Returns a ``CachingTransport`` that sends requests with this transport.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(transport: ProviderConfiguration().transport.caching(in: HTTPCache()))
    /// ```
    /// The returned transport implements RFC 5861 (`stale-while-revalidate`, `stale-if-error`), RFC 8246 (`immutable`)
    /// and RFC 9211 (`Cache-Status`, see `Response.cacheStatus`). It satisfies a range request from a complete stored
    /// response, and does not store partial content.
    ///
    /// - Parameters:
    ///   - cache: the cache, which several transports may share.
    ///   - policy: the settings that RFC 9111 leaves open.
    ///   - scheduler: measures three time limits: half a second for a look-up on disk, a second for the content of an
    ///     error that a stored response replaces, and 60 seconds for a validation in the background.
    ///   - now: returns the current date; called on the threads that send and receive. Defaults to the date of the
    ///     system; with a `VirtualTime` as `scheduler`, its time passes instead, beginning now.
    public func caching(
        in cache: HTTPCache, policy: CachingPolicy = CachingPolicy(), scheduler: any Scheduler = .background,
        now: (@Sendable () -> Date)? = nil
    ) -> CachingTransport {
        let start = Date(timeIntervalSinceNow: -scheduler.now.timeInterval)
        let isVirtual = scheduler is any VirtualScheduler
        return CachingTransport(
            transport: self, cache: cache, policy: policy, scheduler: scheduler.forInternalWork,
            now: now ?? { isVirtual ? start.addingTimeInterval(scheduler.now.timeInterval) : Date() })
    }
}
