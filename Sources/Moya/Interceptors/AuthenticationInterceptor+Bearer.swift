import Foundation

extension RequestInterceptor where Self == AuthenticationInterceptor<String> {
    /// Returns an interceptor that sends a bearer token (RFC 6750) and refreshes the token after the status code 401.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(interceptors: [
    ///     .bearer(token: keychain.token) { try await login.refreshedToken() }
    /// ])
    /// ```
    /// One refresh runs at a time, and a refused request is repeated once. For more options, use the initializer of
    /// ``AuthenticationInterceptor``. After a log-in or log-out, set ``AuthenticationInterceptor/credential``.
    ///
    /// - Parameters:
    ///   - token: the first token. With `nil`, requests are sent without a token until the credential is set; with an
    ///     empty string, `refresh` is called before the first request.
    ///   - hosts: the names of the hosts that the token may be sent to, without ports, as in
    ///     `["api.example", "http://intranet.example"]`; case is ignored. If `nil`, any host. The token is sent over
    ///     https only, except to the local host and to hosts with the prefix `http://`.
    ///   - isExempt: returns `true` for a target that is sent without the token, such as a log-in or the refresh.
    ///   - refresh: returns a new token. If the closure throws an error, all requests that wait for the token fail with
    ///     that error.
    public static func bearer(
        token: String?, hosts: Set<String>? = nil,
        isExempt: @escaping @Sendable (any RelativeTarget) -> Bool = { _ in false },
        refresh: @escaping @Sendable () async throws -> String
    ) -> AuthenticationInterceptor<String> {
        AuthenticationInterceptor(
            credential: token, hosts: hosts,
            apply: { token, request in request.headers["Authorization"] = "Bearer \(token)" },
            isExempt: isExempt, isStale: \.isEmpty,
            refresh: { _ in
                let token = try await refresh()
                if token.isEmpty { throw URLError(.userAuthenticationRequired, "The refresh returned no token.") }
                return token
            })
    }
}
