public import Foundation

extension TransportRequest {
    /// Returns the request with some of its parts replaced, for a transport that wraps another transport.
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
    ///   - method: the new method; `nil` for no change.
    ///   - url: the new URL; `nil` for no change.
    ///   - headers: the header fields, which replace all fields of this request; `nil` for no change.
    ///   - body: the new content; `nil` for no change.
    ///   - delivery: the new delivery mode of the response content; `nil` for no change.
    /// - Throws: ``TransportError/invalid(_:)`` in the same cases as the initialiser.
    public func replacing(
        method: HTTPMethod? = nil, url: URL? = nil, headers: HTTPHeaders? = nil, body: RequestBody? = nil,
        delivery: Delivery? = nil
    ) throws(TransportError) -> TransportRequest {
        var request = try TransportRequest(
            method: method ?? self.method, url: url ?? self.url, headers: headers ?? self.headers,
            body: body ?? self.body, connectTimeout: connectTimeout, delivery: delivery ?? self.delivery)
        request.context = context
        request.cookieJar = cookieJar
        request.cachePolicy = cachePolicy
        request.maximumResponseSize = maximumResponseSize
        return request
    }
}
