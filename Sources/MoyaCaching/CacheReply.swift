import Foundation
import MoyaHTTP

/// A response that a cache delivers: a stored response, or a 504 response to an unsatisfiable `only-if-cached` request.
struct CacheReply: Sendable {
    let head: ResponseHead
    let content: StoredContent
    let outcome: TransportOutcome

    func chunks(within delivery: TransportRequest.Delivery) -> [Data]? {
        guard content.file == nil, delivery.allows(content.count), let bytes = content.bytes(0..<content.count) else {
            return nil
        }
        return bytes.isEmpty ? [] : [bytes]
    }
}

extension TransportRequest.Delivery {
    fileprivate func allows(_ length: Int) -> Bool {
        switch self {
        case .whole, .chunks(nil): true
        case .chunks(let window?): length <= window
        }
    }
}
