#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Responds to challenges of the schemes Basic (RFC 7617) and Digest (RFC 7616) with a name and a password.
///
/// Credentials are sent to the origin of the request only, not to another one after a redirect. As with
/// ``AccessTokenPlugin``, they are sent to the given hosts or, if none are given, over TLS to any host and in plain
/// text to this machine only. Digest is preferred to Basic. A second challenge is the response, unless it says that the
/// nonce was stale.
///
/// ```swift
/// MoyaProvider<GitHub>(plugins: [
///     CredentialsPlugin { _ in URLCredential(user: "ash", password: "pikachu", persistence: .none) }
/// ])
/// ```
public struct CredentialsPlugin: PluginType {
    private let hosts: HostAllowList
    private let credentialsClosure: @Sendable (any RelativeTarget) -> URLCredential?

    /// - Parameters:
    ///   - hosts: the hosts that credentials may be sent to, without regard to case and scheme; `nil`: see above.
    ///   - credentialsClosure: returns the credential for a target, or `nil`. It is called once for each attempt, stubs
    ///     included.
    public init(
        hosts: Set<String>? = nil, credentialsClosure: @escaping @Sendable (any RelativeTarget) -> URLCredential?
    ) {
        self.hosts = HostAllowList(hosts)
        self.credentialsClosure = credentialsClosure
    }

    /// Returns the credential for the target.
    public func credential(for request: RequestType, target: any RelativeTarget) -> URLCredential? {
        let credential = credentialsClosure(target)
        return hosts.allow(request.url) ? credential : nil
    }
}
