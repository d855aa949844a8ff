import Foundation
public import Moya

extension MoyaProvider {
    /// Returns a stream of server-sent events that reconnects when a connection ends (WHATWG HTML, section 9.2.3).
    ///
    /// Each further request sends the last event ID of the stream as `Last-Event-ID`; an event without an ID has that
    /// ID, too. The delay is the `retry` time that the stream has sent, otherwise that of the policy; from the second
    /// retry in a row, it is the longer one of the two. The number of retries begins again after each event. Completes
    /// if a response has the status code 204. If the policy returns no delay, fails with the last error; the end of a
    /// response counts as an error of the kind `connectionLost`.
    ///
    /// Fails without another request if a response has a status code other than 200 or 204 (`MoyaError.statusCode`), if
    /// its content type is not `text/event-stream` (an error of the kind `badResponse`), if an event is too long
    /// (`StreamingError`), if the request cannot be built, and if it was cancelled with `cancelAll()`.
    ///
    /// ```swift
    /// provider.serverSentEvents(.prices, reconnecting: .exponential(initial: .seconds(1), times: 8), on: .background)
    ///     .subscribeNext { print($0.data) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the requests.
    ///   - policy: decides whether to reconnect, and after which delay.
    ///   - scheduler: runs the timers of the delays; the stream reconnects on it.
    ///   - maximumLength: the maximum length of an event in bytes.
    public func serverSentEvents(
        _ target: Target, reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        Observable.deferred {
            let state = Locked(ReconnectionState())
            let connection = Observable<ServerSentEvent>.deferred {
                let id = state.withLock { $0.id }
                let headers = ["Accept": "text/event-stream", "Last-Event-ID": id.asFieldValue].filter {
                    !$0.value.isEmpty
                }
                return self.requestStream(
                    target, headers: headers, callbackQueue: nil,
                    onHead: { head in try state.withLock { try $0.accept(head) } }
                )
                .parsed { ReconnectionParser(EventStreamParser(maximumLength: maximumLength, lastID: id)) }
                .handleEvents(onNext: { step in state.withLock { $0.take(step) } })
                .compactMap(\.event)
            }
            return Observable.concat([connection, .deferred { try state.withLock { try $0.end() } }])
                .retry(when: { error, _ -> Observable<Int> in
                    guard let (retry, wait) = state.withLock({ $0.nextRetry(after: error) }),
                        let delay = policy.delay(beforeRetry: retry, after: error)
                    else { return .error(error) }
                    // The first retry uses the delay that the server requested, if any. Further retries in a row wait at
                    // least as long as the policy requires.
                    return .timer(after: retry == 1 ? wait ?? delay : max(wait ?? .zero, delay), on: scheduler)
                })
        }
    }
}

/// The state of an event stream that its successive connections share.
private struct ReconnectionState: Sendable {
    var id = ""
    /// Whether a response had the status code 204, which ends reconnecting.
    private var hasEnded = false
    /// Whether a response was not an event stream.
    private var isRefused = false
    /// The last delay that the server requested.
    private var wait: Duration?
    private var retries = 0

    /// Checks the status code and the content type of a response.
    ///
    /// - Throws: an error for a response that is not an event stream and must not be parsed (WHATWG HTML, section
    ///   9.2.3).
    mutating func accept(_ head: ResponseHead) throws {
        hasEnded = head.statusCode == 204
        if hasEnded { return }
        isRefused = true
        let response = Response(statusCode: head.statusCode, data: Data(), headers: head.headers)
        guard head.statusCode == 200 else { throw MoyaError.statusCode(response) }
        try head.checkIsEventStream()
        isRefused = false
    }

    mutating func take(_ step: ReconnectionParser.EventStreamUpdate) {
        id = step.id
        wait = step.retry ?? wait
        if step.event != nil { retries = 0 }
    }

    /// Returns a stream that completes after a response with the status code 204; otherwise throws a `connectionLost`
    /// error, so that the stream reconnects.
    func end() throws -> Observable<ServerSentEvent> {
        if hasEnded { return .empty() }
        throw MoyaError.underlying(URLError(.networkConnectionLost), nil)
    }

    /// Counts a retry; returns its number since the last event, and the delay that the stream has requested, or `nil` if
    /// the error ends the stream.
    mutating func nextRetry(after error: any Error) -> (number: Int, wait: Duration?)? {
        guard !isRefused, !isFinal(error) else { return nil }
        retries += 1
        return (retries, wait)
    }

    /// Whether the next request would fail in the same way, or was cancelled.
    private func isFinal(_ error: any Error) -> Bool {
        guard let error = error as? MoyaError else { return error is StreamingError }
        return [.http, .request, .cancelled].contains(error.kind)
    }
}

/// Parses the events of a chunk, and also the last event ID and the retry time, which a chunk may set without an event.
private struct ReconnectionParser: ChunkParser {
    struct EventStreamUpdate: Sendable {
        var event: ServerSentEvent?
        let id: String
        let retry: Duration?
    }

    private var parser: EventStreamParser

    init(_ parser: EventStreamParser) {
        self.parser = parser
    }

    mutating func add(_ chunk: Data, to steps: inout [EventStreamUpdate]) throws {
        var events: [ServerSentEvent] = []
        let result = Result { try parser.add(chunk, to: &events) }
        steps += events.map { EventStreamUpdate(event: $0, id: $0.id, retry: $0.retry) }
        steps.append(EventStreamUpdate(id: parser.lastID, retry: parser.retry))
        try result.get()
    }

    mutating func finish() -> [EventStreamUpdate] { [] }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of server-sent events for a target of any type; see the other `serverSentEvents`.
    public func serverSentEvents(
        _ target: some RelativeTarget, reconnecting policy: RetryPolicy, on scheduler: any Scheduler,
        maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        serverSentEvents(MultiTarget(target), reconnecting: policy, on: scheduler, maximumLength: maximumLength)
    }
}

extension String {
    /// The string without surrounding white space, as the Fetch standard normalizes field values; empty if it is not a
    /// valid field value.
    fileprivate var asFieldValue: String {
        let value = trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n"))
        return (try? HTTPHeaders(["Last-Event-ID": value]).validate()) == nil ? "" : value
    }
}
