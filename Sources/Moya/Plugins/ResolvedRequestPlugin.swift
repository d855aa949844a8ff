/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// The provider calls built-in plugins and other plugins in one order. For a built-in plugin, the provider creates no
/// `URLRequest`, which would be expensive.
protocol ResolvedRequestPlugin: PluginType {
    /// Changes the request in the same way as `prepare(_:target:)` changes a `URLRequest`.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget)
}

extension ResolvedRequestPlugin {
    /// Does not change the request.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget) {}
}

extension CredentialsPlugin: ResolvedRequestPlugin {}
extension NetworkActivityPlugin: ResolvedRequestPlugin {}
extension NetworkLoggerPlugin: ResolvedRequestPlugin {}
