import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that was created from an endpoint and is not yet converted for the transport.
///
/// This type is used instead of `URLRequest`, which costs more and, on Linux, loses the order, spelling and repetition
/// of header fields. A `URLRequest` is created only if a closure, a plugin, an interceptor or a caller reads it. `url`
/// is an absolute `http` or `https` URL with a host.
struct ResolvedRequest: Sendable {
    var method: HTTPMethod
    var url: URL
    var headers: HTTPHeaders
    /// The content, if it is in memory.
    ///
    /// Files and multipart forms are not stored here: their content is read when the request is sent.
    var content: Data?
    /// The idle timeout in seconds; `nil` unless a request closure, a plugin or an interceptor has set it.
    private(set) var timeoutInterval: TimeInterval?
    private(set) var cachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// The `URLRequest` that this request was created from, if any.
    ///
    /// It contains the properties that `ResolvedRequest` does not store, such as `httpShouldHandleCookies`.
    private var template: URLRequest?

    init(method: HTTPMethod, url: URL, headers: HTTPHeaders) {
        self.method = method
        self.url = url
        self.headers = headers
    }

    /// Creates a request from a `URLRequest`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - original: the header fields that `request` was created with. Unchanged fields keep their order, spelling and
    ///     repetition.
    ///   - method: the method that `request` was created with. It is needed because Foundation changes `get` to `GET`,
    ///     although methods are case-sensitive.
    init(_ request: URLRequest, original: HTTPHeaders, method: HTTPMethod? = nil) throws(MoyaError) {
        guard request.httpBodyStream == nil else {
            throw .requestMapping("a httpBodyStream cannot be read again: give the content by the endpoint's task")
        }
        guard let url = request.url?.absoluteURL else { throw .requestMapping("the request has no URL") }
        try MoyaError.wrapping(url.checkForHTTP)
        let changed = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        self.method = method.map { $0.rawValue.uppercased() == changed.rawValue ? $0 : changed } ?? changed
        self.url = url.withoutDotSegments
        headers = original.updated(to: request.allHTTPHeaderFields ?? [:])
        content = request.httpBody
        timeoutInterval = request.timeoutInterval == Timeouts.unsetInterval ? nil : request.timeoutInterval
        cachePolicy = request.cachePolicy
        template = request
    }

    /// Returns this request with the changes in `request`, which is a modified copy of ``urlRequest``.
    func updated(to request: URLRequest) throws(MoyaError) -> ResolvedRequest {
        try ResolvedRequest(request, original: headers, method: method)
    }

    /// The request as a `URLRequest`.
    var urlRequest: URLRequest {
        var request = template ?? URLRequest(url: url, timeoutInterval: timeoutInterval ?? Timeouts.unsetInterval)
        if template != nil {
            if request.url != url { request.url = url }
            var index = HeaderIndex()
            for name in (request.allHTTPHeaderFields ?? [:]).keys
            where index.firstIndex(of: name, in: headers.fields) == nil {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        if request.httpMethod != method.rawValue { request.httpMethod = method.rawValue }
        for (name, value) in headers.dictionary where template?.value(forHTTPHeaderField: name) != value {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if request.httpBody != content { request.httpBody = content }
        if request.cachePolicy != cachePolicy { request.cachePolicy = cachePolicy }
        return request
    }

    /// Sets the cache policy, and the corresponding `Cache-Control` field if the request has no such field.
    ///
    /// With the field, the caches between client and server apply the policy, too (RFC 9111, section 5.2.1).
    mutating func apply(_ policy: URLRequest.CachePolicy) {
        cachePolicy = policy
        let directive: String? =
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
                "no-cache"
            case .returnCacheDataDontLoad: "only-if-cached"
            default: nil
            }
        if let directive { setIfMissing("Cache-Control", directive) }
    }

    /// Sets a header field unless the request has one of that name.
    mutating func setIfMissing(_ name: String, _ value: @autoclosure () -> String) {
        if headers[name] == nil { headers.add(name, value()) }
    }
}

extension HTTPHeaders {
    /// Returns these fields with the values of a dictionary, such as `allHTTPHeaderFields` of a `URLRequest`.
    ///
    /// Fields that the dictionary lacks are removed. Unchanged fields stay as they are. A changed field replaces all
    /// fields of its name, at the place of the first one. New fields follow, sorted by name.
    func updated(to dictionary: [String: String]) -> HTTPHeaders {
        let new = HTTPHeaders(dictionary)
        let old = self.dictionary.map { Field(name: $0, value: $1) }
        var updated = HTTPHeaders()
        var changed: Set<Int> = []
        var (newIndex, oldIndex) = (HeaderIndex(), HeaderIndex())
        for field in fields {
            guard let place = newIndex.firstIndex(of: field.name, in: new.fields) else { continue }
            let isUnchanged = oldIndex.firstIndex(of: field.name, in: old).map {
                old[$0].value == new.fields[place].value
            }
            if isUnchanged == true {
                updated.add(field)
            } else if changed.insert(place).inserted {
                updated.add(field.name, new.fields[place].value)
            }
        }
        for field in new.fields where oldIndex.firstIndex(of: field.name, in: old) == nil { updated.add(field) }
        return updated
    }
}
