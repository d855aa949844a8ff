public import Logging
public import Moya

/// An observer that logs the events of calls with swift-log.
///
/// Ends of calls have the level `info`, or `warning` after a failure other than a cancel. All other events have the
/// level `debug`. Neither values of queries and header fields nor content are logged.
public struct LogObserver: CallObserver {
    private let logger: Logger

    /// Creates an observer with the logger that receives the messages.
    public init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs an event.
    public func observe(_ event: CallEvent) {
        var metadata: Logger.Metadata = [
            "call": "\(event.call)", "target": "\(event.target)", "attempt": "\(event.attempt)",
        ]
        if let errorType = event.errorType { metadata["error.type"] = "\(errorType)" }
        if let trace = event.context as? TraceContext { metadata["trace_id"] = "\(trace.traceID)" }
        logger.log(level: level(of: event), "\(event.kind)", metadata: metadata)
    }

    private func level(of event: CallEvent) -> Logger.Level {
        guard case .ended = event.kind else { return .debug }
        return event.errorType == nil || event.errorType == "cancelled" ? .info : .warning
    }
}
