import Foundation
import MoyaHTTP
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// A cache in virtual time, in front of a server whose responses a closure returns.
struct CacheFixture {
    let time = VirtualTime()
    let cache: HTTPCache
    let transport: CachingTransport
    let origin: ScriptedOrigin

    /// - Parameter cache: a cache in memory if `nil`.
    init(
        _ cache: HTTPCache? = nil, limit: Int = 1 << 20, policy: CachingPolicy = CachingPolicy(),
        _ reply: @escaping @Sendable (TransportRequest, _ number: Int) -> ScriptedOrigin.Reply?
    ) {
        let time = time
        let cache = cache ?? HTTPCache(maximumSize: limit)
        self.cache = cache
        origin = ScriptedOrigin(reply)
        transport = origin.caching(
            in: cache, policy: policy, scheduler: time,
            now: { Date(timeIntervalSince1970: 1_780_000_000 + Double(time.elapsed / .seconds(1))) })
    }

    /// Sends a request through the cache; returns the response.
    func send(
        _ method: HTTPMethod = .get, _ url: String = "https://a.test/x", _ headers: HTTPHeaders = [:],
        delivery: TransportRequest.Delivery = .whole, policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> CollectedResponse {
        let url = try #require(URL(string: url))
        var request = try TransportRequest(method: method, url: url, headers: headers, delivery: delivery)
        request.apply(policy)
        return transport.collect(request)
    }

    var arrivals: Int { origin.requests.count }
}
