import Foundation
import Moya
import MoyaScheduling

@testable import MoyaCaching

/// The events that a transport has delivered for a request.
struct CollectedResponse: Sendable {
    var head: ResponseHead?
    var chunks: [Data] = []
    var outcome: TransportOutcome?
    var batches = 0

    var statusCode: Int? { head?.statusCode }
    var headers: HTTPHeaders { head?.headers ?? [:] }
    var content: Data { chunks.reduce(Data(), +) }
    var text: String { String(decoding: content, as: UTF8.self) }
    var status: CacheStatus? { head?.cacheStatus }

    mutating func take(_ batch: TransportEvents) {
        head = head ?? batch.head
        chunks += batch.chunks
        outcome = outcome ?? batch.outcome
        batches += 1
    }
}

extension Transport {
    /// Sends a request with a transport that delivers all events before `start` returns.
    func collect(_ request: TransportRequest) -> CollectedResponse {
        let collected = Locked(CollectedResponse())
        _ = start(request) { batch in collected.withLock { $0.take(batch) } }
        return collected.withLock { $0 }
    }
}
