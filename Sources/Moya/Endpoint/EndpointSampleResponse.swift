public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The answer of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A whole response head and a body.
    case response(HTTPURLResponse, Data)
    /// A failure, as if nothing had been received.
    case networkError(any Error)
    /// A status code, and a body that comes piece by piece, with a pause before each on the provider's scheduler.
    case chunks(Int, [Data], every: Duration)

    /// What it answers a request with.
    package func result(for request: URLRequest?) -> Result<Response, MoyaError> {
        switch self {
        case .networkResponse(let code, let data):
            .success(Response(statusCode: code, data: data, request: request))
        case .response(let head, let data):
            .success(Response(statusCode: head.statusCode, data: data, request: request, response: head))
        case .networkError(let error): .failure(.underlying(error, nil))
        case .chunks(let code, let chunks, _):
            .success(Response(statusCode: code, data: chunks.reduce(Data(), +), request: request))
        }
    }
}

extension EndpointSampleResponse {
    /// The content of a file as the body.
    ///
    /// A file that cannot be read is a failure that says so.
    public static func file(_ url: URL, statusCode: Int = 200) -> EndpointSampleResponse {
        do {
            return .networkResponse(statusCode, try Data(contentsOf: url))
        } catch {
            return .networkError(error)
        }
    }

    /// The content of a bundle's resource as the body.
    ///
    /// ```swift
    /// Endpoint(url: "https://a.example", sampleResponseClosure: { .resource("users.json", in: .module) })
    /// ```
    public static func resource(_ name: String, in bundle: Bundle, statusCode: Int = 200) -> EndpointSampleResponse {
        guard let url = bundle.url(forResource: name, withExtension: nil) else {
            return .networkError(
                CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "\(bundle) has no resource \(name)"]))
        }
        return .file(url, statusCode: statusCode)
    }

    /// One response after the other, the last one again and again.
    ///
    /// ```swift
    /// Endpoint(
    ///     url: "https://a.example",
    ///     sampleResponseClosure: EndpointSampleResponse.sequence([.networkError(URLError(.timedOut)), .networkResponse(200, Data())]))
    /// ```
    /// The closure counts for itself: make it once, not in an endpoint closure that runs for each request.
    public static func sequence(_ responses: [EndpointSampleResponse]) -> Endpoint.SampleResponseClosure {
        let next = Guarded(0)
        return {
            guard !responses.isEmpty else { return .networkError(URLError(.resourceUnavailable)) }
            return next.withLock { index in
                defer { index = min(index + 1, responses.count - 1) }
                return responses[index]
            }
        }
    }
}
