import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it was sent; `Response` and `RequestType` store it, and create a `URLRequest` only on access.
enum LazyURLRequest: Sendable {
    case resolved(ResolvedRequest)
    /// A request that was passed to an initializer of `Response`.
    case foundation(URLRequest)

    var urlRequest: URLRequest {
        switch self {
        case .resolved(let request): request.urlRequest
        case .foundation(let request): request
        }
    }

    var url: URL? {
        switch self {
        case .resolved(let request): request.url
        case .foundation(let request): request.url
        }
    }

    var method: HTTPMethod {
        switch self {
        case .resolved(let request): request.method
        case .foundation(let request): HTTPMethod(rawValue: request.httpMethod ?? "GET")
        }
    }

    var headers: HTTPHeaders {
        switch self {
        case .resolved(let request): request.headers
        case .foundation(let request): HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        }
    }

    /// Returns this request with the changes that redirects have made to its URL, method, header fields and content.
    ///
    /// The result has no header fields that only `last` has, such as `Authorization` after a challenge.
    ///
    /// - Parameter last: the last request after redirects and challenges.
    func followed(by last: TransportRequest) -> LazyURLRequest {
        guard case .resolved(var request) = self, last.url != request.url || last.method != request.method else {
            return self
        }
        request.url = last.url
        request.method = last.method
        let fields = request.headers.fields
        var index = HeaderIndex()
        request.headers = last.headers
        request.headers.removeAll { index.firstIndex(of: $0.name, in: fields) == nil }
        if case .none = last.body { request.content = nil }
        return .resolved(request)
    }
}
