#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension TransportRequest {
    /// A request as the transport is given it.
    ///
    /// Content of no declared type is sent as `application/octet-stream`, because transports differ in what they declare.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - body: the content, if it is not in memory.
    ///   - connectTimeout: how long connecting may take.
    ///   - delivery: how the response's content is delivered.
    init(
        _ request: ResolvedRequest, body: RequestBody? = nil, connectTimeout: Duration? = nil,
        delivery: Delivery = .whole
    ) throws(MoyaError) {
        var request = request
        if request.content?.isEmpty == false { request.setIfMissing("Content-Type", "application/octet-stream") }
        try self.init(
            method: request.method, checkedURL: request.url, headers: request.headers,
            body: body ?? request.content.flatMap { $0.isEmpty ? nil : .data($0) } ?? .none,
            connectTimeout: connectTimeout, delivery: delivery)
    }

    /// A request made of Foundation's.
    package init(_ request: URLRequest) throws(MoyaError) {
        try self.init(ResolvedRequest(request, original: [:]))
    }
}
