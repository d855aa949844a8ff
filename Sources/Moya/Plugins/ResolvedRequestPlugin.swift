/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// The provider calls all plugins in the order of its configuration. For a plugin of this type, the provider does not
/// create a `URLRequest`, because the conversion is expensive.
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
