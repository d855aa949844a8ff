/// A plugin of this module that prepares requests without a `URLRequest`, which costs more to make than all the rest.
protocol ResolvedRequestPreparing: PluginType {
    /// Does what `prepare(_:target:)` does with a `URLRequest`.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget)
}

extension ResolvedRequestPreparing {
    /// Leaves the request as it is.
    func prepare(_ request: inout ResolvedRequest, target: any RelativeTarget) {}
}

extension CredentialsPlugin: ResolvedRequestPreparing {}
extension NetworkActivityPlugin: ResolvedRequestPreparing {}
extension NetworkLoggerPlugin: ResolvedRequestPreparing {}
