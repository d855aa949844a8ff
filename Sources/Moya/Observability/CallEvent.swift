public import Foundation

/// An event during a call of a provider's method, such as `response(_:)`; passed to each ``CallObserver``.
///
/// The events of one call are ordered. The first event is ``Kind/started``, and the last event is
/// ``Kind/ended(_:duration:)``. Both occur exactly once, whether the call succeeds, fails, is cancelled or shares the
/// request of another call. Each ``Kind/sending(_:)`` is followed by one ``Kind/exchanged(_:)``, before the next
/// request is sent and before the call ends. A call whose response is a stub has neither of these two events.
///
/// The ``description`` of an event contains no header field values, no query values, no credentials and no content.
/// The ``kind`` of an event may contain all of these, for example in the request.
public struct CallEvent: Sendable, CustomStringConvertible {
    /// A kind of event, with its values.
    public enum Kind: Sendable {
        /// The call was made, and its endpoint is known.
        case started
        /// The call shares the in-flight request of another call, whose ID is `call`.
        ///
        /// The exchanges of the shared request are reported only for one call: the oldest that is not cancelled. If
        /// that call is cancelled, its running exchange counts as cancelled, and only a later one is reported.
        case joined(call: UInt64)
        /// The request is given to the transport.
        ///
        /// A transport that wraps another transport, such as a cache, may change the request, or respond without
        /// sending the request.
        case sending(TransportRequest)
        /// The head of a response was received.
        ///
        /// If the response is a redirect or a challenge, another request may follow.
        case receiving(ResponseHead)
        /// The exchange that began with ``sending(_:)`` has ended.
        case exchanged(Exchange)
        /// Another attempt follows after a delay.
        ///
        /// `error` is the error of the failed attempt, also of one whose status code is 400 or more; `nil` if an
        /// interceptor retries another response.
        case retrying(after: Duration, error: MoyaError?)
        /// The call has ended with the result that the caller receives; the duration is the time since the call was
        /// made.
        ///
        /// The plugins have processed the result. Methods such as `value(_:)` decode the response after this event.
        case ended(Result<Response, MoyaError>, duration: Duration)
    }

    /// One request and its response, on the wire or from a cache.
    public struct Exchange: Sendable {
        /// The request.
        public let request: TransportRequest
        /// The head of the response; `nil` if none was received.
        public let head: ResponseHead?
        /// The error; `nil` if the response is complete.
        ///
        /// If the provider ended the exchange, the code is `timedOut` at a deadline and otherwise `cancelled`, and the
        /// next event contains the reason.
        public let error: URLError?
        /// The measurements of the transport.
        public let metrics: TransportMetrics
        /// The time between the handover of the request to the transport and the end of the exchange.
        public let duration: Duration
    }

    /// The ID of the call, unique in the process; equal to ``RequestType/id``.
    public let call: UInt64
    /// The target of the call.
    public let target: TargetLabel
    /// The ordinal number of the attempt, from 1; 0 for an event before the first attempt.
    public let attempt: Int
    /// The number of requests that the call has given to the transport up to this event, in all attempts.
    ///
    /// The first request, each redirect, each request in reply to a challenge and each retry count as one.
    public let exchange: Int
    /// The time of the event on the clock of the provider's scheduler.
    public let time: Duration
    /// The context that the provider captured when the call was made, see ``ProviderConfiguration/callContext``.
    public let context: (any Sendable)?
    /// The number of events that the observers of the provider have not received yet, not counting this event.
    public let backlog: Int
    /// The kind of the event, with its values.
    public let kind: Kind

    /// The call, the target and the event in one line.
    public var description: String { "#\(call) \(target): \(kind)" }
}

extension CallEvent.Exchange {
    /// The kind of failure, for metrics and spans; `nil` for a success.
    ///
    /// The value is a status code of 400 or more, or the ``MoyaError/Kind`` of the error. If the cache delivered a
    /// stored response instead of the failure, it is the server's status code, or `other` if the server was not
    /// reached. Use the value for the attribute `error.type` of OpenTelemetry's conventions for HTTP.
    public var errorType: String? {
        if let error { return "\(MoyaError.underlying(error, nil).kind)" }
        guard let statusCode = serverStatusCode else { return head == nil ? nil : "\(MoyaError.Kind.other)" }
        return statusCode >= 400 ? String(statusCode) : nil
    }

    /// The status code that the server, or a hit of the cache, has sent; `nil` if the server was not reached.
    var serverStatusCode: Int? {
        guard let status = cacheStatus, !status.isHit, status.isFromCache else { return head?.statusCode }
        return status.forwardStatusCode
    }

    /// How the cache of the transport handled the request; `nil` if there is no cache or no response.
    public var cacheStatus: CacheStatus? { head?.cacheStatus }
}

extension CallEvent {
    /// The kind of failure in an ``Kind/exchanged(_:)`` or ``Kind/ended(_:duration:)`` event.
    ///
    /// The value is the status code of a failed response, or the ``MoyaError/Kind`` of an error. The value is `nil` for
    /// a success and for all other kinds of events.
    public var errorType: String? {
        switch kind {
        case .exchanged(let exchange): return exchange.errorType
        case .ended(.success(let response), _):
            return response.statusCode >= 400 ? String(response.statusCode) : nil
        case .ended(.failure(.statusCode(let response)), _): return String(response.statusCode)
        case .ended(.failure(let error), _): return "\(error.kind)"
        case .started, .joined, .sending, .receiving, .retrying: return nil
        }
    }
}

extension CallEvent.Kind: CustomStringConvertible {
    /// The name of the event and its non-secret values.
    public var description: String {
        switch self {
        case .started: "started"
        case .joined(let call): "joined #\(call)"
        case .sending(let request): "sending \(request.method) \(request.urlForLogs)"
        case .receiving(let head): "receiving \(head.statusCode)"
        case .exchanged(let exchange): "exchanged \(exchange)"
        case .retrying(let delay, let error):
            "retrying after \(delay.inSeconds)\(error.map { " because of \($0.kind)" } ?? "")"
        case .ended(.success(let response), let duration): "ended with \(response.statusCode) in \(duration.inSeconds)"
        case .ended(.failure(let error), let duration): "ended with \(error.kind) in \(duration.inSeconds)"
        }
    }
}

extension CallEvent.Exchange: CustomStringConvertible {
    /// The method, the URL, the status code or the error, and the duration.
    public var description: String {
        let outcome = errorType ?? head.map { String($0.statusCode) } ?? "no response"
        return "\(request.method) \(request.urlForLogs): \(outcome) in \(duration.inSeconds)"
    }
}

extension TransportRequest: CustomStringConvertible {
    /// The URL without user, password and fragment, and without the values of its query.
    public var urlForLogs: String { Redaction.all.url(url.absoluteString) }

    /// The method and ``urlForLogs``.
    public var description: String { "\(method) \(urlForLogs)" }
}

extension RequestType: CustomStringConvertible {
    /// The method and the URL, without user, password and fragment, and without the values of its query.
    public var description: String { sent.description }
}

extension Endpoint: CustomStringConvertible {
    /// The method and the URL, without user, password and fragment, and without the values of its query.
    public var description: String { "\(method) \(Redaction.all.url(url))" }
}
