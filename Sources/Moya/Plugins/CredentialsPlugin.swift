#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Answers challenges of the schemes Basic (RFC 7617) and Digest (RFC 7616) with a name and a password.
///
/// Only those of the origin that was asked: after a redirect to another one nothing is sent there. As with
/// ``AccessTokenPlugin`` that are the hosts that are named, or, if none are, any over TLS and this machine. Digest is preferred
/// to Basic, and a challenge after an answer stands, unless the server says that its nonce was too old.
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
    ///   - hosts: the hosts that receive credentials, case-insensitive, with any scheme; `nil`: see above.
    ///   - credentialsClosure: gives the credential for a target; nil: none. Called once for each attempt, stubs included.
    public init(
        hosts: Set<String>? = nil, credentialsClosure: @escaping @Sendable (any RelativeTarget) -> URLCredential?
    ) {
        self.hosts = HostAllowList(hosts)
        self.credentialsClosure = credentialsClosure
    }

    /// The credential for the target.
    public func credential(for request: URLRequest, target: any RelativeTarget) -> URLCredential? {
        let credential = credentialsClosure(target)
        return hosts.allow(request.url) ? credential : nil
    }
}
