public import Foundation

/// An attempt to send a request, passed to plugins.
public struct RequestType: Sendable {
    /// The ID of the provider call that the attempt belongs to; unique in the process.
    public let id: UInt64
    /// The ordinal number of the attempt, from 1.
    public let attempt: Int
    /// The request as it is given to the transport.
    ///
    /// Fields that the transport adds are missing, such as `Host`, `Content-Length` and `Accept-Encoding`.
    ///
    /// Each access creates a new value; access to ``url``, ``method`` and ``headers`` costs less.
    public var request: URLRequest? { sent.urlRequest }
    /// The URL of the request.
    public var url: URL? { sent.url }
    /// The method of the request.
    public var method: HTTPMethod { sent.method }
    /// The header fields of the request.
    public var headers: HTTPHeaders { sent.headers }
    /// The content of the request.
    ///
    /// Use this property for files and forms, because ``request`` does not contain their content.
    public var body: RequestBody { sent.body }
    let sent: TransportRequest
    /// The time at which the request was sent, on the clock of the provider's scheduler; `nil` in tests of plugins.
    let start: Duration?
    var duration: Duration?
}

extension RequestType {
    /// Creates an attempt with a request, for tests of plugins.
    ///
    /// - Parameters:
    ///   - id: the ID of the provider call that the attempt belongs to.
    ///   - attempt: the ordinal number of the attempt, from 1.
    ///   - request: the request as it is sent.
    ///   - body: the content; if `nil`, the content of `request`.
    public init(id: UInt64 = 0, attempt: Int = 1, request: URLRequest, body: RequestBody? = nil) {
        var sent = TransportRequest(unchecked: request)
        if let body { sent.body = body }
        self.init(id: id, attempt: attempt, sent: sent, start: nil)
    }
}

/// Observes and modifies the requests of a provider.
///
/// All methods have defaults that change nothing. Most methods have an overload for `any RelativeTarget`, and one for
/// `any TargetType` as in Moya 15. Implement one of the two. If a plugin implements both, the provider calls only the
/// overload for `any RelativeTarget`. A method with another signature, such as an `async` one, is never called, and the
/// compiler does not report it. To wait for something before a request is sent, use an ``AsyncInterceptor``.
///
/// For each attempt, the provider calls `prepare` of all plugins in their order; each plugin receives the result of the
/// previous plugin. With `trackInflights`, it calls `prepare` once more before, to compare the request with others; a
/// plugin that makes each request different prevents sharing. Then the provider calls `willSend` and, after the
/// exchange, `didReceive`. Before the caller receives the final outcome, the provider calls `process` in the same
/// order. Each `willSend` is followed by exactly one `didReceive` with the same ID and attempt number. If a request is
/// cancelled or fails before it is sent, neither `willSend` nor `didReceive` is called.
///
/// Plugins are called on the thread on which the request proceeds: the caller's thread, a background queue, the
/// provider's scheduler, or the thread that cancels the request. The calls for one request do not overlap.
///
/// ```swift
/// struct Logger: PluginType {
///     func willSend(_ request: RequestType, target: any RelativeTarget) { print("sends", target.path) }
/// }
/// ```
public protocol PluginType: MoyaPluginMethods {
    /// Returns the request that is sent in place of the given request.
    func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest
    /// Returns the user name and password for an authentication challenge of the requested host, or `nil`.
    ///
    /// The provider calls this method of one plugin after the other, until a plugin returns a credential. This happens
    /// right before `willSend` of each attempt, even if the response is a stub. If a request may share the response of
    /// an equal request, the provider calls the method once more, to compare the credentials of the two requests.
    func credential(for request: RequestType, target: any RelativeTarget) -> URLCredential?
    /// Called right before the request is sent.
    func willSend(_ request: RequestType, target: any RelativeTarget)
    /// Called with the outcome of an attempt and the request of the attempt.
    func didReceive(_ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget)
    /// Called with the outcome of an attempt, unless the plugin implements ``didReceive(_:for:target:)``.
    func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget)
    /// Returns the outcome that the caller receives in place of the given outcome.
    func process(_ result: Result<Response, MoyaError>, target: any RelativeTarget) -> Result<Response, MoyaError>
}

/// The plugin methods of Moya 15, whose targets are `any TargetType`; ``PluginType`` inherits them.
///
/// The provider calls the overloads for `any RelativeTarget` in ``PluginType``. By default, these overloads call the
/// methods of this protocol. The two protocols are separate, because each `TargetType` is also a `RelativeTarget`. In
/// one protocol, a call with a `TargetType` would be ambiguous.
public protocol MoyaPluginMethods: Sendable {
    /// Returns the request that is sent in place of the given request.
    @_disfavoredOverload
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest
    /// Called right before the request is sent.
    @_disfavoredOverload
    func willSend(_ request: RequestType, target: any TargetType)
    /// Called with the outcome of an attempt.
    @_disfavoredOverload
    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType)
    /// Returns the outcome that the caller receives in place of the given outcome.
    @_disfavoredOverload
    func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError>
}

extension MoyaPluginMethods {
    /// Returns the request unchanged.
    @_disfavoredOverload
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }
    /// Does nothing.
    @_disfavoredOverload
    public func willSend(_ request: RequestType, target: any TargetType) {}
    /// Does nothing.
    @_disfavoredOverload
    public func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {}
    /// Returns the outcome unchanged.
    @_disfavoredOverload
    public func process(
        _ result: Result<Response, MoyaError>, target: any TargetType
    ) -> Result<Response, MoyaError> { result }
}

extension PluginType {
    /// Calls the overload for `any TargetType`, whose default implementation returns the request unchanged.
    public func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
        moyaMethods.prepare(request, target: target.asTargetType)
    }
    /// Returns `nil`.
    public func credential(for request: RequestType, target: any RelativeTarget) -> URLCredential? { nil }
    /// Calls the overload for `any TargetType`, whose default implementation does nothing.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {
        moyaMethods.willSend(request, target: target.asTargetType)
    }
    /// Calls ``didReceive(_:target:)``.
    public func didReceive(
        _ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget
    ) {
        didReceive(result, target: target)
    }
    /// Calls the overload for `any TargetType`, whose default implementation does nothing.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        moyaMethods.didReceive(result, target: target.asTargetType)
    }
    /// Calls the overload for `any TargetType`, whose default implementation returns the result unchanged.
    public func process(
        _ result: Result<Response, MoyaError>, target: any RelativeTarget
    ) -> Result<Response, MoyaError> {
        moyaMethods.process(result, target: target.asTargetType)
    }

    /// The plugin without the overloads for `any RelativeTarget`.
    private var moyaMethods: any MoyaPluginMethods { self }
}

extension RelativeTarget {
    var asTargetType: any TargetType { self as? any TargetType ?? MultiTarget(self) }
}

/// A plugin that changes requests as values, which costs less than with `URLRequest`.
///
/// The provider creates no `URLRequest` for such a plugin.
///
/// ```swift
/// struct APIKey: RequestPlugin {
///     func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
///         request.headers["X-API-Key"] = "7"
///     }
/// }
/// ```
public protocol RequestPlugin: PluginType {
    /// Changes the request that is sent.
    ///
    /// The request is validated after the last plugin; an invalid one fails with `MoyaError.requestMapping`.
    func prepare(_ request: inout TransportRequest, target: any RelativeTarget)
}

extension RequestPlugin {
    /// Returns the request with the changes of the method that takes a ``TransportRequest``.
    public func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
        var value = TransportRequest(unchecked: request)
        prepare(&value, target: target)
        return value.urlRequest
    }
}
