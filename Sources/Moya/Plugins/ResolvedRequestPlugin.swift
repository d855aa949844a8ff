/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// No `URLRequest` is created for the plugin, because creating one is expensive.
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
