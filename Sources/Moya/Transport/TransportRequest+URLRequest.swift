import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension TransportRequest {
    /// What a request means to an engine.
    ///
    /// Content of no declared type is sent as `application/octet-stream`, because engines differ in what they would say
    /// of it.
    package init(
        _ request: URLRequest, connectTimeout: Duration? = nil, delivery: Delivery = .whole
    ) throws(MoyaError) {
        guard request.httpBodyStream == nil else {
            throw .requestMapping("a httpBodyStream cannot be read again: give the content by the endpoint's task")
        }
        guard let url = request.url else { throw .requestMapping("the request has no URL") }
        var headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        let body = request.httpBody.map { RequestBody.data($0) } ?? .none
        if request.httpBody?.isEmpty == false, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/octet-stream"
        }
        try self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: url, headers: headers, body: body,
            connectTimeout: connectTimeout, delivery: delivery)
    }
}
