import Foundation
public import Moya
import Synchronization
public import Tracing

/// A transport that makes a client span of swift-distributed-tracing for each request, and sends the requests with
/// another transport.
///
/// The spans have the names and attributes of OpenTelemetry's conventions for HTTP. Redirects and repetitions are spans
/// of their own. Below a cache, only requests that are sent have a span.
public struct TracingTransport<SpanTracer: Tracer>: Transport {
    private let transport: any Transport
    private let tracer: SpanTracer
    private let hosts: Set<String>

    /// Creates a transport above another one.
    ///
    /// - Parameters:
    ///   - transport: the transport that sends the requests.
    ///   - tracer: makes the spans.
    ///   - hosts: the hosts that receive the context of the span, in header fields that the tracer chooses.
    public init(above transport: any Transport, tracer: SpanTracer, hosts: Set<String>) {
        self.transport = transport
        self.tracer = tracer
        self.hosts = hosts
    }

    /// The capabilities of the other transport.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Sends the request within a span.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let call = request.callContext as? TracedCall
        let method = request.method.rawValue
        let name = call?.target.pathTemplate.map { "\(method) \($0)" } ?? method
        let span = tracer.startSpan(name, context: call?.parent ?? .topLevel, ofKind: .client)
        let host = request.url.host(percentEncoded: false) ?? ""
        span.attributes["http.request.method"] = method
        span.attributes["server.address"] = host
        span.attributes["server.port"] = request.url.port ?? (request.url.scheme?.lowercased() == "https" ? 443 : 80)
        span.attributes["url.full"] = request.urlForLogs
        if let template = call?.target.pathTemplate { span.attributes["url.template"] = template }
        if let resends = call?.countSend(), resends > 0 { span.attributes["http.request.resend_count"] = resends }
        var sent = request
        if hosts.contains(host) { tracer.inject(span.context, into: &sent.headers, using: HeaderInjector()) }
        return transport.start(sent) { events in
            if let head = events.head { span.set(head) }
            if let outcome = events.outcome { span.end(with: outcome) }
            receive(events)
        }
    }
}

/// The span that a call is made in, and the number of requests that were sent for it.
public final class TracedCall: Sendable {
    fileprivate let parent: ServiceContext
    fileprivate let target: TargetLabel
    private let sends = Atomic<Int>(0)

    fileprivate init(_ parent: ServiceContext, _ target: TargetLabel) {
        self.parent = parent
        self.target = target
    }

    /// Counts a request; returns how many were sent before.
    fileprivate func countSend() -> Int { sends.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension ProviderConfiguration {
    /// Makes ``TracingTransport`` use the current span of each caller as the parent.
    public mutating func captureSpans() {
        callContext = { TracedCall(ServiceContext.current ?? .topLevel, TargetLabel($0)) }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
        headers[key] = value
    }
}

extension Tracing.Span {
    fileprivate func set(_ head: ResponseHead) {
        attributes["http.response.status_code"] = head.statusCode
        guard head.statusCode >= 400 else { return }
        attributes["error.type"] = String(head.statusCode)
        setStatus(SpanStatus(code: .error))
    }

    fileprivate func end(with outcome: TransportOutcome) {
        if let error = outcome.error {
            attributes["error.type"] = "\(MoyaError.underlying(error, nil).kind)"
            setStatus(SpanStatus(code: .error))
            recordError(error)
        }
        end()
    }
}
