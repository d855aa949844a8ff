#if !canImport(FoundationNetworking)
    public import Foundation
#endif

/// Responds to challenges of the schemes Basic (RFC 7617) and Digest (RFC 7616) with a name and a password.
///
/// Credentials are sent over https only, except to the local host. With `hosts`, they are sent to these hosts only; the
/// prefix `http://` allows http for a host, too. After a redirect to another origin, no credentials are sent. Digest is
/// preferred to Basic.
///
/// Credentials are sent in response to the first challenge. If the server sends a second challenge, the caller receives
/// the response with that challenge. Exception: a Digest challenge with `stale=true` means that only the nonce has
/// expired, so credentials are sent once more. A server that accepts Digest only with the quality of protection
/// `auth-int` is an error.
///
/// ```swift
/// MoyaProvider<GitHub>(plugins: [
///     CredentialsPlugin { _ in URLCredential(user: "ash", password: "pikachu", persistence: .none) }
/// ])
/// ```
public struct CredentialsPlugin: RequestPlugin {
    private let hosts: HostAllowList
    private let credentialsClosure: @Sendable (any RelativeTarget) -> URLCredential?

    /// Creates a plugin.
    ///
    /// - Parameters:
    ///   - hosts: the names of the hosts that credentials may be sent to, without ports, as in
    ///     `["http://intranet.example"]`; case is ignored. If `nil`, any host.
    ///   - credentialsClosure: returns the credential for a target, or `nil`; called once for each call of
    ///     ``PluginType/credential(for:target:)``.
    public init(
        hosts: Set<String>? = nil, credentialsClosure: @escaping @Sendable (any RelativeTarget) -> URLCredential?
    ) {
        self.hosts = HostAllowList(hosts)
        self.credentialsClosure = credentialsClosure
    }

    /// Returns the credential for the target, or `nil` if the credential must not be sent to the host of the request.
    public func credential(for request: RequestType, target: any RelativeTarget) -> URLCredential? {
        let credential = credentialsClosure(target)
        return hosts.allow(request.url) ? credential : nil
    }

    /// Changes nothing.
    public func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {}
}
