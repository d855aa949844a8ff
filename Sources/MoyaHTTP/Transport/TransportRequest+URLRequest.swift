package import Foundation

extension URLRequest {
    // Marks an interval that user code has not set. The next `Double` above Foundation's default, so that an interval
    // of exactly 60 seconds set by user code is recognized.
    static let unsetInterval = 60.0.nextUp
}

extension TransportRequest {
    package var cachePolicy: URLRequest.CachePolicy { template?.cachePolicy ?? .useProtocolCachePolicy }

    package var template: URLRequest? { boxedTemplate?.value }

    package var isForCacheOnly: Bool { cachePolicy == .returnCacheDataDontLoad }

    /// The idle timeout in seconds; `nil` unless a request closure, a plugin or an interceptor has set it.
    package var timeoutInterval: TimeInterval? {
        guard let interval = template?.timeoutInterval, interval != URLRequest.unsetInterval else {
            return nil
        }
        return interval
    }

    /// Sets the cache policy, and the corresponding `Cache-Control` field if the request has no such field.
    ///
    /// With the field, the caches between client and server apply the policy, too (RFC 9111, section 5.2.1).
    package mutating func apply(_ policy: URLRequest.CachePolicy) {
        if policy != cachePolicy {
            var changed = urlRequestWithSettings
            changed.cachePolicy = policy
            boxedTemplate = Boxed(changed)
        }
        let directive: String? =
            switch policy {
            case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
                "no-cache"
            case .returnCacheDataDontLoad: "only-if-cached"
            default: nil
            }
        if let directive { setIfMissing("Cache-Control", directive) }
    }

    // ``validate()`` checks the parts; a missing URL becomes an invalid one. Fields unchanged from `original` keep
    // their order, spelling and repetition. `method` is needed because Foundation changes `get` to `GET`.
    package init(unchecked request: URLRequest, original: HTTPHeaders = [:], method: HTTPMethod? = nil) {
        let changed = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        self.init(
            unchecked: method.map { $0.rawValue.uppercased() == changed.rawValue ? $0 : changed } ?? changed,
            request.url?.absoluteURL ?? URL(filePath: "/"), original.updated(to: request.allHTTPHeaderFields ?? [:]),
            request.httpBody.map { .data($0) } ?? .none)
        boxedTemplate = Boxed(request)
    }

    /// Creates a request from a `URLRequest`, whose URL must be valid; ``validate()`` checks the other parts.
    package init(
        _ request: URLRequest, original: HTTPHeaders = [:], method: HTTPMethod? = nil
    ) throws(TransportError) {
        guard request.httpBodyStream == nil else {
            throw .invalid("a httpBodyStream cannot be read again. Give the content by the endpoint's task.")
        }
        guard let url = request.url?.absoluteURL else { throw .invalid("the request has no URL") }
        try url.checkForHTTP()
        self.init(unchecked: request, original: original, method: method)
        self.url = url.withoutDotSegments
    }

    /// Returns this request with the changes in `request`, which is a modified copy of ``urlRequest``.
    package func updated(to request: URLRequest) throws(TransportError) -> TransportRequest {
        var updated = try TransportRequest(request, original: headers, method: method)
        // A `URLRequest` has no files and streams.
        if request.httpBody == content { updated.body = body }
        (updated.connectTimeout, updated.delivery) = (connectTimeout, delivery)
        (updated.maximumResponseSize, updated.context, updated.cookieJar) = (maximumResponseSize, context, cookieJar)
        return updated
    }

    private var urlRequestWithSettings: URLRequest {
        template ?? URLRequest(url: url, timeoutInterval: URLRequest.unsetInterval)
    }

    /// The request as a `URLRequest`; each access creates a new value.
    package var urlRequest: URLRequest {
        var request = urlRequestWithSettings
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
        return request
    }
}

extension HTTPHeaders {
    /// Applies a dictionary such as `allHTTPHeaderFields`: fields it lacks are removed, unchanged ones stay, a changed
    /// one replaces all fields of its name in place, and new ones follow, sorted by name.
    fileprivate func updated(to dictionary: [String: String]) -> HTTPHeaders {
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
                updated.fields.append(field)
            } else if changed.insert(place).inserted {
                updated.add(field.name, new.fields[place].value)
            }
        }
        for field in new.fields where oldIndex.firstIndex(of: field.name, in: old) == nil {
            updated.fields.append(field)
        }
        return updated
    }
}
