/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// No `URLRequest` is created for the plugin, because creating one is expensive.
protocol ResolvedRequestPreparing: PluginType {
    /// Changes the request in the same way as `prepare(_:target:)` changes a `URLRequest`.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget)
}

extension ResolvedRequestPreparing {
    /// Does not change the request.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget) {}
}

extension CredentialsPlugin: ResolvedRequestPreparing {}
extension NetworkActivityPlugin: ResolvedRequestPreparing {}
extension NetworkLoggerPlugin: ResolvedRequestPreparing {}
