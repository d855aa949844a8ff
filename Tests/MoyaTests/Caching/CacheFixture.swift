import Foundation
import MoyaScheduling
import MoyaTesting
import Testing

@testable import Moya

/// A cache in virtual time, in front of a server whose responses a closure returns.
struct CacheFixture {
    typealias Reply = (statusCode: Int, headers: HTTPHeaders, content: String)

    let time = VirtualTime()
    let cache: HTTPCache
    let transport: CachingTransport
    let origin: ScriptedOrigin

    /// - Parameter cache: a cache in memory if `nil`.
    init(
        _ cache: HTTPCache? = nil, limit: Int = 1 << 20, policy: CachingPolicy = CachingPolicy(),
        _ reply: @escaping @Sendable (TransportRequest, _ number: Int) -> Reply?
    ) {
        let time = time
        let cache = cache ?? HTTPCache(limit: limit)
        self.cache = cache
        origin = ScriptedOrigin(reply)
        transport = origin.caching(
            in: cache, policy: policy, scheduler: time,
            now: { Date(timeIntervalSince1970: 1_780_000_000 + Double(time.elapsed / .seconds(1))) })
    }

    /// Sends a request through the cache; returns the response.
    func send(
        _ method: HTTPMethod = .get, _ url: String = "https://a.test/x", _ headers: HTTPHeaders = [:],
        delivery: TransportRequest.Delivery = .whole
    ) throws -> CollectedResponse {
        let url = try #require(URL(string: url))
        return transport.collect(try TransportRequest(method: method, url: url, headers: headers, delivery: delivery))
    }

    var arrivals: Int { origin.requests.count }
}

/// A transport that delivers the response of a closure immediately; `nil` is a lost connection.
final class ScriptedOrigin: Transport {
    private let reply: @Sendable (TransportRequest, Int) -> CacheFixture.Reply?
    private let state = Locked<[TransportRequest]>([])

    init(_ reply: @escaping @Sendable (TransportRequest, Int) -> CacheFixture.Reply?) {
        self.reply = reply
    }

    var requests: [TransportRequest] { state.withLock { $0 } }
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let number = state.withLock { state in
            state.append(request)
            return state.count
        }
        guard let (statusCode, headers, content) = reply(request, number) else {
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.networkConnectionLost))))
            return FinishedExchange()
        }
        let isEmpty = content.isEmpty || request.method == .head || statusCode == 304
        receive(
            TransportEvents(
                head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: headers),
                chunks: isEmpty ? [] : [Data(content.utf8)], outcome: TransportOutcome(error: nil)))
        return FinishedExchange()
    }
}
