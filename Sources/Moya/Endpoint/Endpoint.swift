#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What the provider makes of a target before it makes a request of it: URL, method, headers, task and sample response.
///
/// ```swift
/// Endpoint(url: "https://api.example/zen", sampleResponseClosure: { .networkResponse(200, Data()) })
///     .adding(newHTTPHeaderFields: ["X-App": "Quickstart"])
/// ```
public struct Endpoint: Sendable {
    /// What gives the stub's answer.
    ///
    /// Evaluated when the answer is due, each time anew.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL, absolute; only with a provider's base URL it may be relative to that.
    public private(set) var url: String
    /// The method.
    public private(set) var method: HTTPMethod
    /// What the request carries.
    public private(set) var task: RequestTask
    /// The header fields.
    public private(set) var headers: HTTPHeaders
    /// What gives the stub's answer.
    public let sampleResponseClosure: SampleResponseClosure

    /// Parameters for the query that the task has no place for.
    private var queryParameters: [String: any Sendable] = [:]
    /// The URL is a path, whatever it looks like.
    private var isRelative = false
    /// Why this endpoint cannot become a request, known since it was made.
    private var failure: MoyaError?

    /// An endpoint for a task.
    public init(
        url: String, sampleResponseClosure: @escaping SampleResponseClosure, method: HTTPMethod = .get,
        task: RequestTask = .requestPlain, httpHeaderFields: [String: String]? = nil
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        headers = HTTPHeaders(httpHeaderFields ?? [:])
    }

    /// An endpoint for parameters; nil means a plain request.
    public init(
        url: String, sampleResponseClosure: @escaping SampleResponseClosure, method: HTTPMethod = .get,
        parameters: [String: any Sendable]?, parameterEncoding: any ParameterEncoding = URLEncoding.default,
        httpHeaderFields: [String: String]? = nil
    ) {
        self.init(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method,
            task: parameters.map { .requestParameters(parameters: $0, encoding: parameterEncoding) } ?? .requestPlain,
            httpHeaderFields: httpHeaderFields)
    }

    /// The endpoint that a target describes.
    ///
    /// What is wrong with the target is thrown by ``urlRequest()``.
    init(_ target: some RelativeTarget) {
        self.init(
            url: "", sampleResponseClosure: { .networkResponse(200, target.sampleData) }, method: target.method,
            task: target.task, httpHeaderFields: target.headers)
        do throws(MoyaError) {
            url = try target.url()
            isRelative = !(target is any TargetType)
        } catch {
            failure = error
        }
    }

    /// The header fields as a dictionary; nil if there are none.
    public var httpHeaderFields: [String: String]? { headers.fields.isEmpty ? nil : headers.dictionary }

    /// With more header fields; a new value takes the place of an old one, whatever the case of their names.
    public func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        var endpoint = self
        endpoint.headers = headers.merging(HTTPHeaders(newHTTPHeaderFields))
        return endpoint
    }

    /// With more parameters; a new value takes the place of an old one of the same key.
    ///
    /// They join the task's parameters, those in the query if it has two kinds. Where the task has none, they go where
    /// `URLEncoding.default` puts them, and into the query where the body is taken.
    public func adding(newParameters: [String: any Sendable]) -> Endpoint {
        var endpoint = self
        if let task = task.adding(newParameters) {
            endpoint.task = task
        } else {
            endpoint.queryParameters.merge(newParameters) { $1 }
        }
        return endpoint
    }

    /// With another encoding of its parameters, if the task has any.
    public func adding(newParameterEncoding encoding: any ParameterEncoding) -> Endpoint {
        switch task {
        case .requestParameters(let parameters, _):
            replacing(task: .requestParameters(parameters: parameters, encoding: encoding))
        case .downloadParameters(let parameters, _, let destination, let partialFile):
            replacing(
                task: .downloadParameters(
                    parameters: parameters, encoding: encoding, destination: destination, partialFile: partialFile))
        case .requestCompositeParameters(let parameters, _, let urlParameters, let urlEncoding):
            replacing(
                task: .requestCompositeParameters(
                    bodyParameters: parameters, bodyEncoding: encoding, urlParameters: urlParameters,
                    urlEncoding: urlEncoding))
        default: self
        }
    }

    /// With another task.
    public func replacing(task: RequestTask) -> Endpoint {
        var endpoint = self
        endpoint.task = task
        return endpoint
    }

    /// With another method.
    public func replacing(method: HTTPMethod) -> Endpoint {
        var endpoint = self
        endpoint.method = method
        return endpoint
    }

    /// With a relative URL made absolute.
    func resolved(against base: URL?) -> Endpoint {
        guard let base, failure == nil, isRelative || url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) == nil else {
            return self
        }
        var endpoint = self
        endpoint.url = base.appending(encodedPath: url)
        endpoint.isRelative = false
        return endpoint
    }

    /// The request that this endpoint means.
    ///
    /// - Throws: `MoyaError.requestMapping` for a URL, method or header that no request can have,
    ///   `.parameterEncoding` or `.encodableMapping` for a body or query that cannot be encoded.
    public func urlRequest() throws(MoyaError) -> URLRequest {
        if let failure { throw failure }
        var request = URLRequest(url: try URL(checkedForHTTP: url), timeoutInterval: Timeouts.unsetInterval)
        guard method.rawValue.isToken else {
            throw .requestMapping(
                "\(method.rawValue.debugDescription) is not a method: it must be a token, such as GET")
        }
        try headers.validate()
        if method != .get { request.httpMethod = method.rawValue }
        for (name, value) in headers.dictionary { request.setValue(value, forHTTPHeaderField: name) }
        try task.apply(to: &request)
        if !queryParameters.isEmpty { try request.encode(queryParameters, URLEncoding.queryString) }
        return request
    }
}

extension URL {
    /// An absolute `http` or `https` URL with a host (RFC 9110, section 4.2).
    package init(checkedForHTTP string: String) throws(MoyaError) {
        guard let url = URL(string: string) else { throw .notHTTP(string) }
        try url.checkForHTTP()
        self = url
    }

    /// Refuses what is no absolute `http` or `https` URL with a host.
    func checkForHTTP() throws(MoyaError) {
        let scheme = scheme?.lowercased()
        guard scheme == "http" || scheme == "https", host()?.isEmpty == false else {
            throw .notHTTP(absoluteString)
        }
    }
}

extension MoyaError {
    fileprivate static func notHTTP(_ url: String) -> MoyaError {
        let shown = url.prefix { $0 != "?" && $0 != "#" }
        return .requestMapping("\(String(shown).debugDescription) is not an absolute http or https URL with a host")
    }
}
