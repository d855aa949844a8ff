import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What has been received of an answer.
///
/// A pure value.
struct Answer: Sendable {
    private var head: ResponseHead?
    private var data = Data()

    var received: Int64 { Int64(data.count) }

    /// The length of the content to come in all, if the server said so and it is not compressed.
    var expected: Int64? {
        guard let head, head.headers["Content-Encoding"] == nil, let length = head.headers["Content-Length"] else {
            return nil
        }
        return Int64(length).flatMap { $0 >= 0 ? $0 : nil }
    }

    mutating func add(_ events: TransportEvents) {
        if let head = events.head { self.head = head }
        for chunk in events.chunks {
            if data.isEmpty { data = chunk } else { data.append(chunk) }
        }
    }

    func result(for request: URLRequest?, _ outcome: TransportOutcome) -> Result<Response, MoyaError> {
        let response = head.map { head in
            Response(
                statusCode: head.statusCode, data: data, request: request,
                response: request?.url.flatMap {
                    HTTPURLResponse(
                        url: $0, statusCode: head.statusCode, httpVersion: head.version,
                        headerFields: head.headers.dictionary)
                },
                headers: head.headers, metrics: outcome.metrics)
        }
        if let error = outcome.error { return .failure(.underlying(error, response)) }
        guard let response else { return .failure(.underlying(URLError(.badServerResponse), nil)) }
        return .success(response)
    }
}
