#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension TransportRequest {
    /// What a request means to an engine.
    ///
    /// Content of no declared type is sent as `application/octet-stream`, because engines differ in what they would say
    /// of it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - spelling: header fields whose names are to be spelled as they are here: on Linux requests do not keep it.
    ///   - body: the content, if it is not the request's own.
    ///   - connectTimeout: how long connecting may take.
    ///   - delivery: how the answer's content is delivered.
    package init(
        _ request: URLRequest, spelling: HTTPHeaders = [:], body: RequestBody? = nil, connectTimeout: Duration? = nil,
        delivery: Delivery = .whole
    ) throws(MoyaError) {
        guard request.httpBodyStream == nil else {
            throw .requestMapping("a httpBodyStream cannot be read again: give the content by the endpoint's task")
        }
        guard let url = request.url else { throw .requestMapping("the request has no URL") }
        var headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:]).spelled(like: spelling)
        let body = body ?? request.httpBody.map { RequestBody.data($0) } ?? .none
        if request.httpBody?.isEmpty == false, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/octet-stream"
        }
        try self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET"), url: url, headers: headers, body: body,
            connectTimeout: connectTimeout, delivery: delivery)
    }
}
