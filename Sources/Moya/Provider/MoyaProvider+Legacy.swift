#if !canImport(FoundationNetworking)
    public import Foundation
#endif

// API of Moya's first version: the method and the parameters are arguments of the call, not properties of the target.
extension MoyaProvider {
    /// Creates an endpoint from a target and the method and parameters of a call.
    public typealias EndpointsClosure = @Sendable (Target, HTTPMethod, [String: any Sendable]) -> Endpoint
    /// Creates the request of an endpoint; interceptors and plugins adapt it afterwards.
    public typealias EndpointResolver = @Sendable (Endpoint) throws(MoyaError) -> URLRequest

    /// Creates a provider whose endpoints depend on the method and parameters of each call.
    ///
    /// - Parameters:
    ///   - endpointsClosure: creates an endpoint; called once per request, on the caller's thread. Parameters that the
    ///     closure does not add to the endpoint are not sent.
    ///   - endpointResolver: creates the request of an endpoint.
    ///   - stubResponses: whether requests receive their sample responses immediately instead of being sent.
    ///   - transport: the transport; if `nil`, the platform's default transport is used.
    ///   - plugins: the plugins, in the order in which they are called.
    public convenience init(
        endpointsClosure: @escaping EndpointsClosure,
        endpointResolver: @escaping EndpointResolver = { endpoint throws(MoyaError) in try endpoint.urlRequest() },
        stubResponses: Bool = false, transport: (any Transport)? = nil, plugins: [any PluginType] = []
    ) {
        let configuration = ProviderConfiguration(
            requestClosure: { endpoint, done in
                done(Result { () throws(MoyaError) in try endpointResolver(endpoint) })
            },
            transport: transport, plugins: plugins)
        self.init(
            configuration, { endpointsClosure($0, $0.method, $0.parameters ?? [:]) },
            endpointsClosure: endpointsClosure, stubResponses ? Self.immediatelyStub : Self.neverStub)
    }

    /// Sends a request with the given method and parameters.
    ///
    /// The provider's ``EndpointsClosure`` creates the endpoint from the method and parameters. If the provider has no
    /// such closure, the method and parameters replace the method and the task of the target's endpoint.
    ///
    /// - Parameters:
    ///   - target: the target to call.
    ///   - method: the method.
    ///   - parameters: the parameters, by key.
    ///   - completion: receives the outcome, exactly once.
    /// - Returns: a token that cancels the request. Releasing the token does not cancel the request.
    @discardableResult
    public func request(
        _ target: Target, method: HTTPMethod, parameters: [String: any Sendable] = [:],
        completion: @escaping Completion
    ) -> any Cancellable {
        let task: RequestTask =
            parameters.isEmpty
            ? .requestPlain : .requestParameters(parameters: parameters, encoding: target.parameterEncoding)
        let endpoint =
            endpointsClosure?(target, method, parameters)
            ?? endpointClosure(target).replacing(method: method).replacing(task: task)
        return send(
            target, endpoint.resolved(against: configuration.baseURL), callbackQueue: nil, progress: nil,
            completion: completion)
    }
}
