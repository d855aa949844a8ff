public import Foundation

/// The response or the failure that the provider delivers for a stubbed request.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A response head and a body.
    case response(HTTPURLResponse, Data)
    /// A failure without a response.
    case networkError(any Error)
    /// A status code, header fields and a body.
    ///
    /// ```swift
    /// .status(503, headers: ["Retry-After": "2"])
    /// ```
    case status(Int, headers: HTTPHeaders, Data = Data())
    /// A status code, and a body in chunks, each of them after a delay of `every` on the provider's scheduler.
    case chunks(Int, [Data], every: Duration)
}

extension EndpointSampleResponse {
    /// Returns a response with a status code and a body, which is empty by default.
    public static func status(_ code: Int, _ body: Data = Data()) -> EndpointSampleResponse {
        .networkResponse(code, body)
    }

    /// Returns a response with the content of a file as its body, or the error of the file system.
    public static func file(_ url: URL, statusCode: Int = 200) -> EndpointSampleResponse {
        do {
            return .networkResponse(statusCode, try Data(contentsOf: url))
        } catch {
            return .networkError(error)
        }
    }

    /// Returns a response with the content of a bundle's resource as its body.
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

    /// Returns a closure that returns the responses in their order, one at each call, and then repeats the last one.
    ///
    /// ```swift
    /// let sample = EndpointSampleResponse.sequence([.networkError(URLError(.timedOut)), .networkResponse(200, data)])
    /// let endpoint = Endpoint(url: "https://a.example", sampleResponseClosure: sample)
    /// ```
    /// Each closure counts its own calls. Create it once, outside the provider's `endpointClosure`, which runs for each
    /// request. With a new closure for each request, every request receives the first response.
    public static func sequence(_ responses: [EndpointSampleResponse]) -> Endpoint.SampleResponseClosure {
        let next = Locked(0)
        return {
            guard !responses.isEmpty else { return .networkError(URLError(.unknown, "the sequence is empty")) }
            return next.withLock { index in
                defer { index = min(index + 1, responses.count - 1) }
                return responses[index]
            }
        }
    }
}
