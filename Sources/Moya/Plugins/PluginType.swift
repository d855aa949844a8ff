#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// One attempt to have a request answered, as plugins see it.
public struct RequestType: Sendable {
    /// Which call it belongs to; no two calls of a process have the same.
    public let id: UInt64
    /// 1 for the first attempt, more for repetitions.
    public let attempt: Int
    /// The request as it is sent.
    public let request: URLRequest?
    /// Its content, which is not in the request where it is a file or a form.
    public let body: RequestBody
}

/// A look at the requests of a provider, and a hand in them.
///
/// All methods do nothing by default.
///
/// For each attempt: ``prepare(_:target:)`` of all plugins in their order, each given what the one before made;
/// `willSend`; the exchange; `didReceive`. For each call, at its end: ``process(_:target:)`` in the same order. Each
/// `willSend` is followed by exactly one `didReceive` with the same id and attempt; a request that is cancelled or fails
/// before it is sent has neither.
///
/// Plugins are called where the request happens to be: the caller's thread, the transport's queue or the scheduler; for
/// one request one at a time.
public protocol PluginType: Sendable {
    /// Changes the request before it is sent.
    func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest
    /// Gives a name and a password to answer a challenge of the host that is asked with; the first plugin that has one is heard.
    ///
    /// Asked once for each attempt, right before `willSend`, stubs included.
    func credential(for request: URLRequest, target: any RelativeTarget) -> URLCredential?
    /// Told right before the request is sent.
    func willSend(_ request: RequestType, target: any RelativeTarget)
    /// Told the outcome, with the request that it belongs to.
    func didReceive(_ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget)
    /// Told the outcome. Called by the default of ``didReceive(_:for:target:)``.
    func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget)
    /// Changes the outcome before the caller sees it.
    func process(_ result: Result<Response, MoyaError>, target: any RelativeTarget) -> Result<Response, MoyaError>
}

extension PluginType {
    /// Leaves the request as it is.
    public func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest { request }
    /// None.
    public func credential(for request: URLRequest, target: any RelativeTarget) -> URLCredential? { nil }
    /// Does nothing.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {}
    /// Passes the outcome on to the method without a request.
    public func didReceive(
        _ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget
    ) {
        didReceive(result, target: target)
    }
    /// Does nothing.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {}
    /// Leaves the outcome as it is.
    public func process(
        _ result: Result<Response, MoyaError>, target: any RelativeTarget
    ) -> Result<Response, MoyaError> { result }
}
