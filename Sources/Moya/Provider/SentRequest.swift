import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it was sent.
///
/// Its `URLRequest` is made when it is first asked for.
final class SentRequest: Sendable {
    let url: URL?
    private let resolved: ResolvedRequest?
    private let made: Guarded<URLRequest?>

    init(_ request: ResolvedRequest) {
        url = request.url
        resolved = request
        made = Guarded(nil)
    }

    init(_ request: URLRequest) {
        url = request.url
        resolved = nil
        made = Guarded(request)
    }

    var urlRequest: URLRequest? {
        if let request = made.withLock({ $0 }) { return request }
        let request = resolved?.urlRequest
        made.withLock { $0 = request }
        return request
    }

    /// The request that followed on this one: a redirect, or the response to a challenge.
    func followed(by last: TransportRequest) -> SentRequest {
        guard var request = resolved, last.url != request.url || last.method != request.method else { return self }
        request.url = last.url
        request.method = last.method
        request.headers = HTTPHeaders(fields: request.headers.fields.filter { last.headers[$0.name] != nil })
        if case .none = last.body { request.content = nil }
        return SentRequest(request)
    }
}
