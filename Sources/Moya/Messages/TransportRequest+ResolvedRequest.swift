#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension TransportRequest {
    /// Creates the request for a transport from a resolved request.
    ///
    /// Content without a declared type is sent as `application/octet-stream`, because transports have different
    /// defaults.
    ///
    /// - Parameters:
    ///   - request: the resolved request.
    ///   - body: the content to send; `nil` to send the content of `request`, if it has any.
    ///   - connectTimeout: the deadline for connecting.
    ///   - delivery: the delivery mode of the response content.
    init(
        _ request: ResolvedRequest, body: RequestBody? = nil, connectTimeout: Duration? = nil,
        delivery: Delivery = .whole
    ) throws(MoyaError) {
        var request = request
        if request.content?.isEmpty == false { request.setIfMissing("Content-Type", "application/octet-stream") }
        do throws(TransportError) {
            try self.init(
                method: request.method, checkedURL: request.url, headers: request.headers,
                body: body ?? request.content.flatMap { $0.isEmpty ? nil : .data($0) } ?? .none,
                connectTimeout: connectTimeout, delivery: delivery)
        } catch {
            throw MoyaError(error)
        }
        cachePolicy = request.cachePolicy
    }

    package init(_ request: URLRequest) throws(MoyaError) {
        try self.init(ResolvedRequest(request, original: [:]))
    }
}
