#if canImport(FoundationNetworking)
    package import Foundation
#else
    public import Foundation
#endif

/// The description of a request that a provider derives from a target: URL, method, headers, task and sample response.
///
/// ```swift
/// Endpoint(url: "https://api.example/zen", sampleResponseClosure: { .networkResponse(200, Data()) })
///     .adding(newHTTPHeaderFields: ["X-App": "Quickstart"])
/// ```
public struct Endpoint: Sendable {
    /// Returns the response that a stub delivers; called each time, after the delay of the stub.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The absolute URL, or a URL that is relative to the provider's base URL.
    public private(set) var url: String
    /// The method of the request, such as GET.
    public private(set) var method: HTTPMethod
    /// The task: content, query parameters and download destination.
    public private(set) var task: RequestTask
    /// The header fields of the request, without the provider's default fields.
    public private(set) var headers: HTTPHeaders
    /// Returns the response that a stub delivers.
    public var sampleResponseClosure: SampleResponseClosure {
        sample ?? { [target] in .networkResponse(200, target?.sampleData ?? Data()) }
    }

    /// If `nil`, a stub delivers the sample data of ``target``: few requests need a closure.
    private var sample: SampleResponseClosure?
    private var target: (any RelativeTarget)?
    /// The parameters that ``adding(newParameters:)`` cannot store in the task; they are sent in the query.
    private var queryParameters: [String: any Sendable] = [:]
    /// Whether ``url`` is the path of a target without a base URL; even `http://a` is then appended to the provider's.
    private var isPathOfRelativeTarget = false
    /// The error that ``urlRequest()`` throws if the path of the target is invalid; `nil` if the path is valid.
    private var failure: MoyaError?

    /// Creates an endpoint for a task; `url` is absolute, or relative to the provider's base URL.
    public init(
        url: String, sampleResponseClosure: @escaping SampleResponseClosure, method: HTTPMethod = .get,
        task: RequestTask = .requestPlain, httpHeaderFields: [String: String]? = nil
    ) {
        self.url = url
        sample = sampleResponseClosure
        self.method = method
        self.task = task
        headers = HTTPHeaders(httpHeaderFields ?? [:])
    }

    /// Creates an endpoint that sends parameters, or a plain request if `parameters` is `nil`.
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

    init(_ target: some RelativeTarget) {
        url = ""
        self.target = target
        method = target.method
        task = target.task
        headers = target.headers.map { HTTPHeaders($0) } ?? [:]
        do throws(MoyaError) {
            (url, isPathOfRelativeTarget) = try target.url()
        } catch {
            failure = error
        }
    }

    /// The header fields as a dictionary; `nil` if there are none.
    public var httpHeaderFields: [String: String]? { headers.fields.isEmpty ? nil : headers.dictionary }

    /// Returns the endpoint with more header fields, which replace existing fields of the same name.
    public func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        changed { $0.headers = headers.merging(HTTPHeaders(newHTTPHeaderFields)) }
    }

    /// Returns the endpoint with more parameters, which replace existing parameters of the same key.
    ///
    /// The tasks `requestParameters` and `downloadParameters` send the new parameters together with their own. The
    /// tasks `requestPlain` and `downloadDestination` encode the new parameters with `URLEncoding.default`. All other
    /// tasks send the new parameters in the query.
    public func adding(newParameters: [String: any Sendable]) -> Endpoint {
        if let task = task.adding(newParameters) { return replacing(task: task) }
        return changed { $0.queryParameters.merge(newParameters) { $1 } }
    }

    /// Returns the endpoint with another encoding of the task's parameters.
    ///
    /// For the tasks `requestParameters` and `downloadParameters`, the encoding of the parameters is replaced. For
    /// `requestCompositeParameters`, the encoding of the body is replaced. All other tasks are unchanged.
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

    /// Returns the endpoint with another task.
    public func replacing(task: RequestTask) -> Endpoint {
        changed { $0.task = task }
    }

    /// Returns the endpoint with another method.
    public func replacing(method: HTTPMethod) -> Endpoint {
        changed { $0.method = method }
    }

    /// Returns the endpoint with another URL: an absolute URL, or a URL that is relative to the provider's base URL.
    ///
    /// If the path of the target was invalid, ``urlRequest()`` no longer throws an error because of the path.
    public func replacing(url: String) -> Endpoint {
        changed {
            $0.url = url
            $0.isPathOfRelativeTarget = false
            $0.failure = nil
        }
    }

    /// Returns the endpoint with another response for stubs, evaluated like a ``SampleResponseClosure``.
    public func replacing(sample: @autoclosure @escaping SampleResponseClosure) -> Endpoint {
        changed { $0.sample = sample }
    }

    private func changed(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = self
        change(&endpoint)
        return endpoint
    }

    package consuming func resolved(against base: URL?) -> Endpoint {
        guard let base, failure == nil else { return self }
        if !isPathOfRelativeTarget, url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil { return self }
        url = base.appending(encodedPath: url)
        isPathOfRelativeTarget = false
        return self
    }

    /// Returns the request that this endpoint describes.
    ///
    /// - Throws: `MoyaError.requestMapping` if the URL, the method or a header is invalid; `.parameterEncoding` or
    ///   `.encodableMapping` if the body or the query cannot be encoded.
    public func urlRequest() throws(MoyaError) -> URLRequest {
        try request().checkedURLRequest()
    }

    /// Returns the request that this endpoint describes, whose header fields are not validated yet.
    func request() throws(MoyaError) -> TransportRequest {
        if let failure { throw failure }
        guard !isPathOfRelativeTarget else {
            throw .requestMapping(
                "\(url.withoutQuery.withoutUser.debugDescription) has no base URL. Give the provider a baseURL, or make "
                    + "the target a TargetType.")
        }
        var request = try MoyaError.wrapping { () throws(TransportError) in
            let url = try URL(checkedForHTTP: url).withoutDotSegments
            try method.validate()
            return TransportRequest(unchecked: method, url, headers, .none, isURLValid: true)
        }
        try task.apply(to: &request)
        if !queryParameters.isEmpty { try request.encode(queryParameters, URLEncoding.queryString) }
        return request
    }
}
