#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

extension RequestInterceptor where Self == AuthenticationInterceptor<String> {
    /// Returns an interceptor that sends a bearer token (RFC 6750), and refreshes it when a response has the status code 401.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(interceptors: [
    ///     .bearer(token: keychain.token) { try await login.refreshedToken() }
    /// ])
    /// ```
    /// One refresh runs at a time, and a refused request is repeated once; see ``AuthenticationInterceptor``, whose
    /// initialiser has all options. Set its ``AuthenticationInterceptor/credential`` after a log-in or log-out.
    ///
    /// - Parameters:
    ///   - token: the first token; with `nil`, requests are sent without one until the credential is set.
    ///   - hosts: the hosts that the token is sent to; `nil`: any host over https, and only this machine over http.
    ///   - isExempt: returns whether a target is sent without a token, such as that of a log-in or of the refresh.
    ///   - refresh: returns a new token. If it throws an error, all requests that wait for the token fail with that
    ///     error.
    public static func bearer(
        token: String?, hosts: Set<String>? = nil,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        refresh: @escaping @Sendable () async throws -> String
    ) -> AuthenticationInterceptor<String> {
        AuthenticationInterceptor(
            credential: token, hosts: hosts,
            apply: { token, request in request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") },
            isExempt: isExempt, refresh: { _ in try await refresh() })
    }
}
