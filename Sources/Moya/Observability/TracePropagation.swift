/// A transport that adds the trace context of a call to each request (W3C Trace Context), and sends the request with
/// another transport.
///
/// ```swift
/// let transport = URLSessionTransport().propagatingTraces(to: ["api.example"]).caching(in: HTTPCache())
/// let provider = MoyaProvider<GitHub>(transport: transport)
/// let response = try await TraceContext.$current.withValue(incoming) { try await provider.response(.zen) }
/// ```
/// The provider captures the ``TraceContext`` when the call is made. The transport reads the context from
/// ``TransportRequest/callContext``. Each request that is sent for the call, such as a redirect, a retry or the
/// revalidation of a stored response, has the same trace ID and a new parent ID. In the example, a cache wraps this
/// transport. A request that the cache satisfies is not sent, and does not appear in the trace.
///
/// A request is sent unchanged if the call has no trace context, the host is not in the given set, or the request
/// already has the field `traceparent`. The context is sent over https only, except to the local host and to hosts with
/// the prefix `http://`, as in `["http://orders.internal"]`.
public struct TracePropagation: Transport, TransportDecorator {
    package var transport: any Transport
    fileprivate let hosts: HostAllowList

    /// The capabilities of the transport that sends the requests.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// Sends the request, with the fields `traceparent` and `tracestate` if the call has a trace context.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        guard let context = request.callContext as? TraceContext, hosts.allow(request.url),
            request.headers["traceparent"] == nil
        else { return transport.start(request, receive: receive) }
        var request = request
        let child = context.child()
        request.headers["traceparent"] = child.traceparent
        // The request had no `traceparent`. Without it, an existing `tracestate` is invalid: it is replaced or removed.
        request.headers["tracestate"] = child.tracestate
        return transport.start(request, receive: receive)
    }
}

extension Transport {
    /// Returns a transport that adds the trace context of the call (`traceparent`, `tracestate`) to requests for the
    /// given hosts, see ``TracePropagation``.
    ///
    /// - Parameter hosts: the exact names of hosts, without a port.
    public func propagatingTraces(to hosts: Set<String>) -> TracePropagation {
        TracePropagation(transport: self, hosts: HostAllowList(hosts))
    }
}
