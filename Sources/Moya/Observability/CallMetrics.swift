import Foundation

/// An observer that records durations and sizes of requests, for any metrics library.
///
/// ```swift
/// let metrics = CallMetrics { name, value, dimensions in
///     print(name, value, dimensions)
/// }
/// let provider = MoyaProvider<GitHub>(observers: [metrics])
/// ```
/// Names and dimensions follow OpenTelemetry's conventions for HTTP clients, where these conventions define them. Each
/// dimension has few distinct values. Dimensions contain path templates such as `/users/{id}`, but no paths, no queries
/// and no values that targets contain.
///
/// | name | unit | recorded |
/// | --- | --- | --- |
/// | `http.client.request.duration` | seconds | for each exchange, except those that a cache satisfies |
/// | `http.client.request.queue_time` | seconds | for the same exchanges, if the transport has measured it |
/// | `http.client.request.size` | bytes | for the same exchanges, if the transport has measured it |
/// | `http.client.response.size` | bytes | for the same exchanges, if the transport has measured it |
/// | `moya.call.duration` | seconds | for each call |
public struct CallMetrics: CallObserver {
    /// Records a value, with its name and with the names and values of its dimensions.
    public typealias Record =
        @Sendable (_ name: String, _ value: Double, _ dimensions: [(name: String, value: String)]) -> Void

    private static let knownMethods: Set<HTTPMethod> = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private let recordValue: Record

    /// Creates an observer.
    ///
    /// - Parameter record: receives each value; called on the queue of the provider's observers, see ``CallObserver``.
    public init(_ record: @escaping Record) {
        recordValue = record
    }

    /// Records each call that has ended, and each exchange that has ended and that a cache has not answered.
    public func observe(_ event: CallEvent) {
        switch event.kind {
        case .exchanged(let exchange): record(exchange, of: event)
        case .ended(_, let duration):
            let dimensions = [(name: "moya.target", value: event.target.name)] + event.errorDimension
            recordValue("moya.call.duration", duration.timeInterval, dimensions)
        case .started, .joined, .sending, .receiving, .retrying: break
        }
    }

    private func record(_ exchange: CallEvent.Exchange, of event: CallEvent) {
        // Without a reason for forwarding, the cache has answered, also with 504 or an error if nothing must be sent.
        guard exchange.cacheStatus.map({ $0.forwardReason != nil }) ?? true,
            exchange.error?.code != .resourceUnavailable
        else { return }
        let request = exchange.request
        let method = Self.knownMethods.contains(request.method) ? request.method.rawValue : "_OTHER"
        var dimensions = [(name: "http.request.method", value: method)]
        if let host = request.url.host(percentEncoded: false) { dimensions.append(("server.address", host)) }
        dimensions.append(("server.port", String(request.url.effectivePort)))
        if let status = exchange.serverStatusCode { dimensions.append(("http.response.status_code", String(status))) }
        if let template = event.target.pathTemplate { dimensions.append(("url.template", template)) }
        dimensions += event.errorDimension
        recordValue("http.client.request.duration", exchange.duration.timeInterval, dimensions)
        let metrics = exchange.metrics
        let values: [(name: String, value: Double?)] = [
            ("http.client.request.queue_time", metrics.queued.map(\.timeInterval)),
            ("http.client.request.size", metrics.bytesSent.map { Double($0) }),
            ("http.client.response.size", metrics.bytesReceived.map { Double($0) }),
        ]
        for (name, value) in values { if let value { recordValue(name, value, dimensions) } }
    }
}

extension CallEvent {
    fileprivate var errorDimension: [(name: String, value: String)] { errorType.map { [("error.type", $0)] } ?? [] }
}
