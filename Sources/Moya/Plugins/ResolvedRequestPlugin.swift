/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// The provider creates no `URLRequest` for such a plugin, which saves an expensive conversion.
protocol ResolvedRequestPlugin: PluginType {
    /// Changes the request in the same way as `prepare(_:target:)` changes a `URLRequest`.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget)
}

extension ResolvedRequestPlugin {
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget) {}
}

extension CredentialsPlugin: ResolvedRequestPlugin {}
extension NetworkActivityPlugin: ResolvedRequestPlugin {}
extension NetworkLoggerPlugin: ResolvedRequestPlugin {}
