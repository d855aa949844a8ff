#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

// The shapes of Moya's first version: method and parameters come with the call, not with the target.
extension MoyaProvider {
    /// Makes an endpoint of a target, and of the method and parameters that a call gives.
    public typealias EndpointsClosure = @Sendable (Target, HTTPMethod, [String: any Sendable]) -> Endpoint
    /// Makes a request of an endpoint: the last word on it before plugins.
    public typealias EndpointResolver = @Sendable (Endpoint) throws(MoyaError) -> URLRequest

    /// A provider whose endpoints are made of what each call says.
    ///
    /// - Parameters:
    ///   - endpointsClosure: makes an endpoint; called once per request, on the caller's thread. What it does not put on the
    ///     endpoint is not sent.
    ///   - endpointResolver: makes a request of an endpoint.
    ///   - stubResponses: whether requests are answered from their samples, at once.
    ///   - transport: the engine; the platform's default if nil.
    ///   - plugins: called in this order.
    public convenience init(
        endpointsClosure: @escaping EndpointsClosure,
        endpointResolver: @escaping EndpointResolver = { endpoint throws(MoyaError) in try endpoint.urlRequest() },
        stubResponses: Bool = false, transport: (any Transport)? = nil, plugins: [any PluginType] = []
    ) {
        self.init(
            baseURL: nil, endpointClosure: { endpointsClosure($0, $0.method, $0.parameters ?? [:]) },
            endpointsClosure: endpointsClosure,
            requestClosure: { endpoint, done in
                do throws(MoyaError) {
                    done(.success(try endpointResolver(endpoint)))
                } catch {
                    done(.failure(error))
                }
            },
            stubClosure: stubResponses ? Self.immediatelyStub : Self.neverStub, callbackQueue: nil,
            transport: transport, plugins: plugins, interceptors: [], trackInflights: false, redirects: .follow,
            cookies: nil, defaultHeaders: .default, maximumResponseSize: nil, timeouts: Timeouts(),
            scheduler: .background, decoding: ResponseDecoding())
    }

    /// Sends a request with a method and parameters of the call's own.
    ///
    /// With an ``EndpointsClosure`` they are handed to that. Otherwise they stand in for the target's.
    ///
    /// - Parameters:
    ///   - target: what to call.
    ///   - method: the method.
    ///   - parameters: the parameters, by key.
    ///   - completion: told the outcome, exactly once.
    /// - Returns: the way to cancel.
    @discardableResult
    public func request(
        _ target: Target, method: HTTPMethod, parameters: [String: any Sendable] = [:],
        completion: @escaping Completion
    ) -> any Cancellable {
        let endpoint =
            endpointsClosure?(target, method, parameters)
            ?? endpointClosure(target).replacing(method, parameters, target.parameterEncoding)
        return send(
            target, endpoint.resolved(against: baseURL), callbackQueue: nil, progress: nil, completion: completion)
    }
}

extension Endpoint {
    fileprivate func replacing(
        _ method: HTTPMethod, _ parameters: [String: any Sendable], _ encoding: any ParameterEncoding
    ) -> Endpoint {
        replacing(method: method).replacing(
            task: parameters.isEmpty
                ? .requestPlain : .requestParameters(parameters: parameters, encoding: encoding))
    }
}
