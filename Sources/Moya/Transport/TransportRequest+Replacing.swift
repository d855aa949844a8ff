public import Foundation

extension TransportRequest {
    /// Returns the request with some of its parts replaced, for transports that wrap another one.
    ///
    /// ```swift
    /// /// Adds a header field to each request, redirects included.
    /// struct StampingTransport: Transport {
    ///     let base: any Transport
    ///     var capabilities: TransportCapabilities { base.capabilities }
    ///
    ///     func start(
    ///         _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ///     ) -> any TransportExchange {
    ///         var headers = request.headers
    ///         headers["X-Stamp"] = "7"
    ///         let stamped = try? request.replacing(headers: headers)
    ///         return base.start(stamped ?? request, receive: receive)
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - method: the new method; `nil`: unchanged.
    ///   - url: the new URL; `nil`: unchanged.
    ///   - headers: all header fields; `nil`: unchanged.
    ///   - body: the new content; `nil`: unchanged.
    ///   - delivery: how the content of the response is delivered; `nil`: unchanged.
    /// - Throws: `MoyaError.requestMapping` in the same cases as the initialiser.
    public func replacing(
        method: HTTPMethod? = nil, url: URL? = nil, headers: HTTPHeaders? = nil, body: RequestBody? = nil,
        delivery: Delivery? = nil
    ) throws(MoyaError) -> TransportRequest {
        var request = try TransportRequest(
            method: method ?? self.method, url: url ?? self.url, headers: headers ?? self.headers,
            body: body ?? self.body, connectTimeout: connectTimeout, delivery: delivery ?? self.delivery)
        request.context = context
        return request
    }
}
