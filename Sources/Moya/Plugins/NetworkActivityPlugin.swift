/// A change of a request's state, for an activity indicator.
public enum NetworkActivityChangeType: Sendable, Hashable {
    /// The request is about to be sent.
    case began
    /// The request has succeeded, failed or been cancelled.
    case ended
}

/// Calls a closure when requests begin and end, for an activity indicator.
///
/// Each `began` is followed by exactly one `ended`, also for stubs, failures and cancelled requests. A repeated request
/// has a `began` and an `ended` for each attempt. If a request is cancelled or fails before it is sent, the closure is
/// not called. For the threads of the calls, see ``PluginType``.
///
/// ```swift
/// let activity = NetworkActivityPlugin { change, _ in count.change { $0 += change == .began ? 1 : -1 } }
/// ```
public struct NetworkActivityPlugin: RequestPlugin {
    private let networkActivityClosure: @Sendable (NetworkActivityChangeType, any RelativeTarget) -> Void

    /// Creates a plugin that calls the given closure.
    public init(
        networkActivityClosure: @escaping @Sendable (NetworkActivityChangeType, any RelativeTarget) -> Void
    ) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Calls the closure with `.began`.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {
        networkActivityClosure(.began, target)
    }

    /// Calls the closure with `.ended`.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        networkActivityClosure(.ended, target)
    }

    /// Changes nothing.
    public func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {}
}
