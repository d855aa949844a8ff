/// What has become of a request, for an activity indicator.
public enum NetworkActivityChangeType: Sendable, Hashable {
    /// It is sent.
    case began
    /// It has its outcome.
    case ended
}

/// Tells when requests begin and end, so that an indicator can be shown while some run.
///
/// Each `began` is followed by exactly one `ended`, also for stubs, failures and cancels; what is cancelled before it is sent
/// has neither. Called where the request happens to be, see ``PluginType``.
///
/// ```swift
/// let activity = NetworkActivityPlugin { change, _ in count.change { $0 += change == .began ? 1 : -1 } }
/// ```
public struct NetworkActivityPlugin: PluginType {
    private let networkActivityClosure: @Sendable (NetworkActivityChangeType, any RelativeTarget) -> Void

    /// A plugin that tells `networkActivityClosure`.
    public init(
        networkActivityClosure: @escaping @Sendable (NetworkActivityChangeType, any RelativeTarget) -> Void
    ) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Tells that it began.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {
        networkActivityClosure(.began, target)
    }

    /// Tells that it has ended.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        networkActivityClosure(.ended, target)
    }
}
