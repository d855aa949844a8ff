import Foundation
public import Moya

extension MoyaProvider {
    /// Opens a WebSocket, and returns it after the handshake.
    ///
    /// ```swift
    /// let socket = try await provider.webSocket(.channel("lobby"))
    /// ```
    /// The handshake is a request of this provider: its plugins, interceptors, cookies, redirects, observers and time
    /// limits apply. The scheme of the URL may be `ws`, `wss`, `http` or `https`. A response with another status than
    /// 101 is an error with that response, after the interceptors have seen it. Cancelling the task cancels the
    /// handshake; later, the socket has a life of its own. `cancelAll()` of the provider affects neither.
    ///
    /// The trust policy and the proxy of the provider's transport apply. On Linux, the transport must be a
    /// `CurlTransport`, which is the default; on Apple platforms, a `URLSessionTransport`.
    ///
    /// - Throws: `MoyaError.statusCode` with the response if the server refuses, and the errors of any request.
    public func webSocket(
        _ target: Target, options: WebSocketOptions = WebSocketOptions()
    ) async throws(MoyaError) -> WebSocket {
        guard case .never = stubClosure(target) else {
            throw .requestMapping("sample data cannot open a WebSocket. Use a StubWebSocketTransport for tests.")
        }
        var settings = configuration
        var opened: UpgradeTransport?
        let transport = configuration.transport.replacingConnecting { base in
            let upgrade = UpgradeTransport(base, options, settings)
            opened = upgrade
            return upgrade
        }
        guard let transport, let upgrade = opened else {
            var innermost = configuration.transport
            while let decorator = innermost as? any TransportDecorator { innermost = decorator.transport }
            throw .requestMapping(
                "\(type(of: innermost)) cannot open a WebSocket. Use the provider's default transport or a CurlTransport, "
                    + "or a StubWebSocketTransport for tests.")
        }
        settings.transport = transport
        settings.trackInflights = false
        settings.callbackQueue = nil
        settings.baseURL = settings.baseURL.flatMap { URL(string: $0.absoluteString.withoutWebSocketScheme) }
        let provider = MoyaProvider(
            configuration: settings,
            endpointClosure: { [endpointClosure] in endpointClosure($0).replacingWebSocketScheme() })
        let response: Response
        do throws(MoyaError) {
            response = try await provider.response(target)
        } catch {
            // The validation of a target, such as `successCodes`, need not know the status of an upgrade.
            guard case .statusCode(let refused) = error, refused.statusCode == 101 else { throw error }
            response = refused
        }
        guard response.statusCode == 101, let session = upgrade.takeSession() else { throw .statusCode(response) }
        return WebSocket(session, response)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps a target of any type in a `MultiTarget`, and opens a WebSocket.
    public func webSocket(
        _ target: some RelativeTarget, options: WebSocketOptions = WebSocketOptions()
    ) async throws(MoyaError) -> WebSocket { try await webSocket(MultiTarget(target), options: options) }
}

extension Endpoint {
    /// The endpoint with `http` instead of `ws`, and `https` instead of `wss`.
    fileprivate func replacingWebSocketScheme() -> Endpoint {
        let new = url.withoutWebSocketScheme
        return new == url ? self : replacing(url: new)
    }
}

extension String {
    var withoutWebSocketScheme: String {
        guard let scheme = prefixMatch(of: /(?i)ws(s?):\/\//) else { return self }
        return "http\(scheme.1.lowercased())://\(self[scheme.range.upperBound...])"
    }
}
