/// A plugin of this module that changes the `ResolvedRequest` directly.
///
/// It is called in the order of the plugins, like any other. No `URLRequest` is created for it, because creating one is
/// expensive.
protocol BuiltInPlugin: PluginType {
    /// Changes the request in the same way as `prepare(_:target:)` changes a `URLRequest`.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget)
}

extension BuiltInPlugin {
    /// Does not change the request.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget) {}
}

extension CredentialsPlugin: BuiltInPlugin {}
extension NetworkActivityPlugin: BuiltInPlugin {}
extension NetworkLoggerPlugin: BuiltInPlugin {}
