import Foundation

/// A plugin that sets the `Authorization` field of requests for targets that are ``AccessTokenAuthorizable``.
///
/// An existing value is replaced. A token is sent over https only, except to the local host. With `hosts`, it is sent
/// to these hosts only; the prefix `http://` allows http for a host, too.
///
/// ```swift
/// MoyaProvider<GitHub>(plugins: [AccessTokenPlugin(hosts: ["api.github.com"]) { _ in keychain.token }])
/// MoyaProvider<GitHub>(plugins: [AccessTokenPlugin(every: .bearer) { _ in keychain.token }])
/// ```
/// Without `every`, a debug build prints a hint for each type of target that is not ``AccessTokenAuthorizable``.
public struct AccessTokenPlugin: RequestPlugin {
    private let hosts: HostAllowList
    private let every: AuthorizationType?
    private let tokenClosure: @Sendable (any RelativeTarget) -> String?

    /// Creates a plugin.
    ///
    /// - Parameters:
    ///   - every: the authorization scheme for targets that are not ``AccessTokenAuthorizable``; if `nil`, no token is
    ///     sent for such targets.
    ///   - hosts: the names of the hosts that tokens may be sent to, without ports, as in
    ///     `["api.example", "http://intranet.example"]`; case is ignored. If `nil`, any host.
    ///   - tokenClosure: returns the token for a target, without the name of the authorization scheme, or `nil`
    ///     to send no token.
    public init(
        every: AuthorizationType? = nil, hosts: Set<String>? = nil,
        tokenClosure: @escaping @Sendable (any RelativeTarget) -> String?
    ) {
        self.every = every
        self.hosts = HostAllowList(hosts)
        self.tokenClosure = tokenClosure
    }

    /// Sets the field `Authorization`, unless no token is sent.
    public func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
        guard let type = authorizationType(of: target), hosts.allow(request.url, for: "AccessTokenPlugin"),
            let token = tokenClosure(target), !token.isEmpty
        else {
            return
        }
        // A Basic token with a colon is a name and a password. A token without a colon is already in base 64.
        let isPassword = type == .basic && token.contains(":")
        request.headers["Authorization"] =
            "\(type.value) \(isPassword ? Data(token.utf8).base64EncodedString() : token)"
    }

    private func authorizationType(of target: any RelativeTarget) -> AuthorizationType? {
        if let target = target as? any AccessTokenAuthorizable { return target.authorizationType }
        if every == nil {
            let name = "\(type(of: target))"
            DebugHint.print(
                "AccessTokenPlugin sends no token for \(name), which is not AccessTokenAuthorizable. Let it conform, or use "
                    + "AccessTokenPlugin(every: .bearer).", about: "AccessTokenPlugin \(name)")
        }
        return every
    }
}
